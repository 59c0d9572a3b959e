// Numbers that look random and are the same in every run (SplitMix64), so that a failure can be had again.

const MASK = (1n << 64n) - 1n;

export class Random {
  /** @param {number | bigint} seed */
  constructor(seed) { this.state = BigInt(seed) & MASK; }

  next() {
    this.state = (this.state + 0x9e3779b97f4a7c15n) & MASK;
    let mixed = this.state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return mixed ^ (mixed >> 31n);
  }

  /** A whole number from 0 up to, and without, `bound`. */
  below(bound) { return Number(this.next() % BigInt(bound)); }
  between(low, high) { return low + this.below(high - low + 1); }
  /** True once in `times`. */
  once(times) { return this.below(times) === 0; }
  pick(list) { return list[this.below(list.length)]; }
  shuffled(list) {
    const all = [...list];
    for (let i = all.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [all[i], all[j]] = [all[j], all[i]];
    }
    return all;
  }
}
