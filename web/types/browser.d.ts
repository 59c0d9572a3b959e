// What browsers have and the compiler's own descriptions lack.

interface Array<T> {
  findLast(predicate: (value: T, index: number) => unknown): T | undefined;
}
interface URLSearchParams { readonly size: number }
interface MapConstructor { groupBy?<K, T>(items: Iterable<T>, key: (item: T) => K): Map<K, T[]> }
declare namespace Intl { function supportedValuesOf(key: string): string[] }
interface Array<T> { toSorted(compare?: (one: T, other: T) => number): T[] }
interface Document { startViewTransition?(update: () => unknown): { ready: Promise<void>; finished: Promise<void>; updateCallbackDone: Promise<void> } }
interface HTMLElement { popover: string | null; showPopover(): void; hidePopover(): void }
interface Event { readonly newState?: string }
declare namespace Intl {
  interface Locale {
    getWeekInfo?(): { firstDay: number };
    readonly weekInfo?: { firstDay: number };
    getTextInfo?(): { direction: "ltr" | "rtl" };
    readonly textInfo?: { direction: "ltr" | "rtl" };
  }
}
