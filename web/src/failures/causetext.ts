// What a failure's text says, and the parts of it that the page shows elsewhere.

import type { ExceptionInfo } from "../api";
import { sentence } from "../fmt";
import { arrows } from "../words";

/** whose is what the engine puts before the error of user code: whose it was. */
const whose = /^(?:operator|task|enumerator of operator) "(?:[^"\\]|\\.)*"(?: \(\d+\/\d+\))?: /;

/** messageOf is what was wrong, without whose fault it was and without the stack that follows after an empty line. */
export function messageOf(text: string): string {
  const [message = ""] = text.split("\n\n", 1);
  return message.replace(whose, "").trim();
}

/** yours says that the program is to blame: its operator was at work, or its code is on the stack. */
export const yours = ({ flott }: ExceptionInfo): boolean => flott.operator !== undefined || flott.frames.some((f) => f.user);

/** headOf is a failure in one line: that of the cluster by its kind, that of a program by what its error says. */
export function headOf(e: ExceptionInfo): string {
  const [line = ""] = messageOf(e.stacktrace).split("\n", 1);
  return yours(e) && line !== "" ? line : sentence(e.exceptionName);
}

/** taskOf is the name of a task as people read it: chains with arrows, without the number of the execution. */
export const taskOf = (name: string): string => arrows(name.replace(/ - execution #\d+$/, ""));

/** hostOf is an endpoint without its port, which is -1 where tasks have none. */
export const hostOf = (endpoint: string): string => endpoint.replace(/:-?\d+$/, "");

/** fileOf is the last two elements of a path: the rest is that of the machine on which the program was built. */
export const fileOf = (path: string): string => path.split("/").slice(-2).join("/");
