// Loaded before everything else in a process of the replay: its clock begins at CAIRN_REPLAY_NOW and goes on from there.
const began = performance.now();
const start = Number(process.env.CAIRN_REPLAY_NOW);
const RealDate = Date;
const now = () => Math.round(start + performance.now() - began);

if (Number.isFinite(start)) {
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      super(...(given.length === 0 ? [now()] : given));
    }
    static now() {
      return now();
    }
  };
}
