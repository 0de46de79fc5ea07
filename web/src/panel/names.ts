/** operatorName is an operator's name without what Flink puts in front of those at the ends. */
export const operatorName = (name: string): string => name.replace(/^(Source|Sink): /, "");

/** vertexName is the operators of a chain in the order in which they call each other. */
export const vertexName = (name: string): string => name.split(" -> ").map(operatorName).join(" → ");
