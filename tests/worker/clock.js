// The clock of the app under test. A request to `http://harness.test/clock?at={ms}` sets it; from then on it goes on as
// time does. Imported before the app, so that the app finds this `Date`.
const RealDate = globalThis.Date;

let ahead = 0;

class ShiftedDate extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + ahead);
    else super(...values);
  }

  static now() {
    return RealDate.now() + ahead;
  }
}

globalThis.Date = ShiftedDate;

/** Sets the clock to a moment, in milliseconds since 1970. */
export function setClock(at) {
  ahead = at - RealDate.now();
}

/** Lets the clock show the real time again. */
export function resetClock() {
  ahead = 0;
}
