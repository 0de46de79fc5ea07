// An Inquiry asks one thing again and again, one question at a time. How old a question is counts in news (live.ts):
//
//           ask                  ask, with news
//   still ────────► on its way ────────────────► overtaken
//     ▲                │   ▲                        │
//     └────────────────┘   └────────────────────────┘
//         answered            answered: asks again
//
// So each answer is shown, though news come faster than answers, and what is shown last is as new as the news.
export class Inquiry {
  private underway: number | undefined; // the age of the question that is on its way
  private latest = 0;

  constructor(private readonly send: (age: number) => void) {}

  ask(age: number): void {
    this.latest = age;
    if (this.underway !== undefined) return;
    this.underway = age;
    this.send(age);
  }

  answered(): void {
    const overtaken = this.underway !== this.latest;
    this.underway = undefined;
    if (overtaken) this.ask(this.latest);
  }
}
