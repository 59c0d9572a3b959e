// What browsers have and the compiler's own descriptions lack.

interface Array<T> {
  findLast(predicate: (value: T, index: number) => unknown): T | undefined;
}
interface URLSearchParams { readonly size: number }
interface MapConstructor { groupBy?<K, T>(items: Iterable<T>, key: (item: T) => K): Map<K, T[]> }
declare namespace Intl { function supportedValuesOf(key: string): string[] }
