// For tables and patterns that take long to make and that most processes do without: made by the first who asks.

export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
