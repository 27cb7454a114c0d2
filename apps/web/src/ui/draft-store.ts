/** The most drafts that are kept; the oldest go. */
const MOST = 20

export type DraftStore<T> = {
  get: (name: string) => T | null
  keep: (name: string, draft: T) => void
  forget: (name: string) => void
}

/**
 * Unsent text, by name: it survives a dialog closed by mistake, and a reload. `read` takes a value that an earlier
 * version of the page may have left; null: it cannot be used.
 *
 * @param storage where drafts are kept: this tab's, or the whole browser's, where other tabs may have changed them
 */
export function draftStore<T>(
  key: string,
  read: (value: unknown) => T | null,
  storage: () => Storage = () => sessionStorage,
): DraftStore<T> {
  let kept = new Map<string, T>()
  /** Without a storage, or with a full one, a draft lasts as long as the page. */
  let isStored = true
  const load = (): Map<string, T> => {
    if (isStored) kept = stored(storage, key, read) ?? kept
    return kept
  }
  const write = () => {
    try {
      storage().setItem(key, JSON.stringify([...kept]))
      isStored = true
    } catch {
      isStored = false
    }
  }
  return {
    get: (name) => load().get(name) ?? null,
    keep: (name, draft) => {
      load().delete(name)
      kept.set(name, draft)
      for (const oldest of [...kept.keys()].slice(0, -MOST)) kept.delete(oldest)
      write()
    },
    forget: (name) => {
      if (load().delete(name)) write()
    },
  }
}

/** Null: the storage cannot be read. Nonsense in it counts as nothing. */
function stored<T>(storage: () => Storage, key: string, read: (value: unknown) => T | null): Map<string, T> | null {
  let text: string | null
  try {
    text = storage().getItem(key)
  } catch {
    return null
  }
  return new Map(
    entriesIn(text).flatMap(([name, value]) => {
      const draft = read(value)
      return draft === null ? [] : [[name, draft] as const]
    }),
  )
}

function entriesIn(text: string | null): [name: string, value: unknown][] {
  try {
    const given: unknown = JSON.parse(text ?? '[]')
    if (!Array.isArray(given)) return []
    return given.filter((one): one is [string, unknown] => Array.isArray(one) && typeof one[0] === 'string')
  } catch {
    return []
  }
}

/** Whether all of these properties of a value are strings. */
export const hasTexts = <K extends string>(value: unknown, ...names: K[]): value is Record<K, string> =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
