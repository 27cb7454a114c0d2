/** The newest are kept. */
const MOST = 20

export type DraftStore<T> = {
  get: (name: string) => T | null
  keep: (name: string, draft: T) => void
  forget: (name: string) => void
}

/**
 * What somebody has typed and not sent, by name: it outlives a dialog that was closed by a slip, and a reload of this tab.
 * `read` takes what an earlier version of the page may have left; null: nothing that can be used.
 */
export function draftStore<T>(key: string, read: (value: unknown) => T | null): DraftStore<T> {
  const kept = new Map<string, T>(
    stored(key).flatMap(([name, value]) => {
      const draft = read(value)
      return draft === null ? [] : [[name, draft] as const]
    }),
  )
  const write = () => {
    try {
      sessionStorage.setItem(key, JSON.stringify([...kept]))
    } catch {
      // Without storage, or where it is full, a draft lasts as long as the page.
    }
  }
  return {
    get: (name) => kept.get(name) ?? null,
    keep: (name, draft) => {
      kept.delete(name)
      kept.set(name, draft)
      for (const oldest of [...kept.keys()].slice(0, -MOST)) kept.delete(oldest)
      write()
    },
    forget: (name) => {
      if (kept.delete(name)) write()
    },
  }
}

function stored(key: string): [name: string, value: unknown][] {
  try {
    const given: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    if (!Array.isArray(given)) return []
    return given.filter((one): one is [string, unknown] => Array.isArray(one) && typeof one[0] === 'string')
  } catch {
    return []
  }
}

/** Whether a value has all of these as texts. */
export const hasTexts = <K extends string>(value: unknown, ...names: K[]): value is Record<K, string> =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
