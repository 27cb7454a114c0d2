/** Changes the texts of a plain value, all in one call, before they are put together, escaped and shortened. */
export async function withTexts<T>(value: T, change: (texts: string[]) => Promise<string[]>): Promise<T> {
  const texts: string[] = []
  walk(value, (text) => {
    texts.push(text)
    return text
  })
  const changed = await change(texts)
  let at = 0
  return walk(value, () => changed[at++] ?? '') as T
}

function walk(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => walk(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one, change)]))
}
