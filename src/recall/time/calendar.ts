// The calendar of one time zone: which day a moment belongs to, and when a day begins there, also where clocks change.

const DAY = 86_400_000;

export class Calendar {
  readonly now: number;
  /** An IANA name; the machine's if absent. */
  readonly zone: string | undefined;
  #format: Intl.DateTimeFormat | undefined;

  constructor(now: number, zone?: string) {
    this.now = now;
    this.zone = zone;
  }

  /** Year, month (0…11), day and weekday of a moment. */
  partsOf(time: number): { year: number; month: number; day: number; weekday: number } {
    const local = new Date(time + this.#offset(time));
    return {
      year: local.getUTCFullYear(),
      month: local.getUTCMonth(),
      day: local.getUTCDate(),
      weekday: local.getUTCDay(),
    };
  }

  /** The moment at which a day begins; days and months may be out of range. */
  startOf(year: number, month: number, day: number): number {
    const midnight = Date.UTC(year, month, day);
    const before = this.#offset(midnight - DAY);
    const after = this.#offset(midnight + DAY);
    // Where clocks are set back over midnight there are two of them, and the first one counts.
    const times = [before, after].filter((offset) => this.#offset(midnight - offset) === offset);
    // Where they are set forward at midnight there is none: the day begins when the one before is over.
    return midnight - (times.length === 0 ? before : Math.max(...times));
  }

  /** The moment when clocks show so many milliseconds after midnight; where they never do, what they show then instead. */
  momentAt(year: number, month: number, day: number, time: number): number {
    const local = Date.UTC(year, month, day) + time;
    return local - this.#offset(local - this.#offset(local));
  }

  today(shift = 0): number {
    const { year, month, day } = this.partsOf(this.now);
    return this.startOf(year, month, day + shift);
  }

  #offset(time: number): number {
    // The machine's own zone and UTC need no Intl, which is slow to load.
    if (this.zone === undefined) return -new Date(time).getTimezoneOffset() * 60_000;
    if (this.zone === 'UTC') return 0;
    this.#format ??= new Intl.DateTimeFormat('en-US', {
      timeZone: this.zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const parts = this.#format.formatToParts(time);
    const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
    const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
    return local - Math.floor(time / 1000) * 1000;
  }
}
