import { Inquiry } from "./inquiry";
import { equal, test } from "./testing";

/** asked plays steps, each an age to ask at or an answer, and says at which ages questions were sent. */
function asked(...steps: (number | "answer")[]): number[] {
  const sent: number[] = [];
  const inquiry = new Inquiry((age) => sent.push(age));
  for (const step of steps) step === "answer" ? inquiry.answered() : inquiry.ask(step);
  return sent;
}

test("who asks while an answer is on its way gets that one", () => equal(asked(1, 1, "answer"), [1]));

test("who asks after it gets another", () => equal(asked(1, "answer", 1), [1, 1]));

test("news wait for the answer that they overtake, and are asked for once", () => {
  equal(asked(1, 2, 3), [1]);
  equal(asked(1, 2, 3, "answer"), [1, 3]);
  equal(asked(1, 2, 3, "answer", "answer"), [1, 3]);
});

test("news that come faster than answers do not stop them", () => equal(asked(1, 2, "answer", 3, "answer", 4, "answer"), [1, 2, 3, 4]));
