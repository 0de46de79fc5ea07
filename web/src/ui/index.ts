export * from "./boundary";
export * from "./card";
export * from "./dialog";
export * from "./icon";
export * from "./mark";
export * from "./table";
export * from "./tabs";
export * from "./text";
