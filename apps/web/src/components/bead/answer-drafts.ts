/** What a person has begun to answer, by the execution that asks. Kept in this browser until it is sent. */
const KEY = 'beadloom.answers'
/** Questions that were answered elsewhere leave theirs behind. */
const MOST_DRAFTS = 20

type Drafts = readonly (readonly [execution: string, text: string])[]

/** Empty when nothing (or nonsense) is stored. */
export function parseDrafts(text: string | null): Drafts {
  if (text === null) return []
  try {
    const given: unknown = JSON.parse(text)
    if (!Array.isArray(given)) return []
    return given.filter(
      (one): one is [string, string] =>
        Array.isArray(one) && one.length === 2 && typeof one[0] === 'string' && typeof one[1] === 'string',
    )
  } catch {
    return []
  }
}

/** The newest last. An empty one is none. */
export function withDraft(drafts: Drafts, execution: string, text: string): Drafts {
  const others = drafts.filter(([of]) => of !== execution)
  return (text === '' ? others : [...others, [execution, text] as const]).slice(-MOST_DRAFTS)
}

export function loadDraft(execution: string): string {
  return read().find(([of]) => of === execution)?.[1] ?? ''
}

export function saveDraft(execution: string, text: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(withDraft(read(), execution, text)))
  } catch {
    // Without storage a draft lasts as long as the page.
  }
}

function read(): Drafts {
  try {
    return parseDrafts(localStorage.getItem(KEY))
  } catch {
    return []
  }
}
