import { rawAt, kindAt, headAt, tapeOf, type Tape } from '../text/json-tape.ts'
import { isObject } from '../text/json-object.ts'
import type { RequestApi } from './pass-request.ts'
import type { Edit } from './walk.ts'

/**
 * A place in a conversation: behind the element that looks like `after`, which was the one before number `at`. Every
 * request has the whole conversation, but its beginning may have been shortened since.
 */
export type MessagePlace = { at: number; after: string }

/**
 * `place` null: it has none yet, and comes at the end. `retold`: its words for a request that has the whole conversation
 * as one text, where no place can be found.
 */
export type AddedMessage = { id: number; text: string; place: MessagePlace | null; retold?: string }

/** `edits`: in the order of the request's text. `placed`: the messages that are in the request now. */
export type WithMessages = { edits: Edit[]; placed: { id: number; place: MessagePlace }[] }

/**
 * Adds messages of people to a request, in the order in which they are given: those that have a place where they were
 * before, the others at the end. One whose place is gone, because the agent has shortened its conversation, is left out:
 * the request for the summary had it, too. The search is short, because a request may have half a million elements.
 *
 * @param text a JSON object, with one character a byte or decoded
 */
export function withMessages(api: RequestApi, text: string, messages: readonly AddedMessage[]): WithMessages {
  const tape = tapeOf(text)
  const elements = elementsOf(tape, api === 'responses' ? 'input' : 'messages')
  const last = elements.at(-1)
  if (last === undefined) return { edits: [], placed: [] }
  const edits: Edit[] = []
  const placed: WithMessages['placed'] = []
  const looks = new Map<number, string>()
  const lookOf = (index: number): string => {
    const known = looks.get(index) ?? lookAt(tape, elements[index]!)
    looks.set(index, known)
    return known
  }
  /** Elements by which the beginning was shortened before the message that was found last. */
  let moved = 0
  const isOneText = elements.length <= MOST_AROUND_ONE_TEXT
  for (const { id, text: said, place, retold } of messages) {
    const index = place === null ? elements.length - 1 : indexOf(place, moved, elements.length, lookOf)
    const words = index !== null ? said : isOneText ? retold : undefined
    if (words === undefined) continue
    if (place !== null && index !== null) moved = place.at - 1 - index
    const behind = index ?? elements.length - 1
    const at = tape.end[elements[behind]!]!
    edits.push({ from: at, to: at, text: `,${asElement(api, words)}` })
    if (index !== null) placed.push({ id, place: place ?? { at: index + 1, after: lookOf(index) } })
  }
  return { edits: edits.toSorted((a, b) => a.from - b.from), placed }
}

/** Elements of a request that has a conversation as one text: the model's role, and the text. */
const MOST_AROUND_ONE_TEXT = 2

/** The elements that are looked at on each side of a message's old place. */
const MOST_AROUND = 300

/** Looks first at the old number, less the elements by which the place before has moved; then from there outwards. */
function indexOf(
  { at, after }: MessagePlace,
  moved: number,
  count: number,
  lookOf: (index: number) => string,
): number | null {
  const old = at - 1 - moved
  for (let off = 0; off <= MOST_AROUND; off += 1)
    for (const index of off === 0 ? [old] : [old - off, old + off])
      if (index >= 0 && index < count && lookOf(index) === after) return index
  return null
}

/** The places of the conversation's elements; empty if it is no list, as a prompt that is a single text. */
function elementsOf(tape: Tape, key: string): number[] {
  let list: number | null = null
  for (let place = 1; place < (tape.next[0] ?? 0);) {
    const value = tape.next[place]!
    if (headAt(tape, place) === key) list = value // the last of several counts
    place = tape.next[value]!
  }
  if (list === null || kindAt(tape, list) !== 'list') return []
  const found: number[] = []
  for (let place = list + 1; place < tape.next[list]!; place = tape.next[place]!) found.push(place)
  return found
}

/** Characters of an element's beginning and end by which it is known again. */
const EDGE = 80

/** A result of a tool is known by its call, even if the agent has shortened it; everything else by its text. */
function lookAt(tape: Tape, place: number): string {
  const element: unknown = JSON.parse(rawAt(tape, place))
  if (!isObject(element)) return 'other'
  const calls = callsIn(element)
  if (calls !== '') return `result of ${calls}`.slice(0, 2 * EDGE)
  const text = JSON.stringify(element, (key, value: unknown) => (key === 'cache_control' ? undefined : value))
  return `${text.length} ${text.slice(0, EDGE)} ${text.slice(-EDGE)}`
}

function callsIn({ tool_call_id, type, call_id, content }: Record<string, unknown>): string {
  if (typeof tool_call_id === 'string') return tool_call_id
  if (typeof call_id === 'string') return `${String(type)} ${call_id}`
  if (!Array.isArray(content)) return ''
  const ids = content.flatMap((block: unknown) =>
    isObject(block) && block['type'] === 'tool_result' ? String(block['tool_use_id']) : [],
  )
  return ids.join(' ')
}

function asElement(api: RequestApi, text: string): string {
  switch (api) {
    case 'chat':
      return JSON.stringify({ role: 'user', content: text })
    case 'responses':
      return JSON.stringify({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
    case 'messages':
    case 'count':
      return JSON.stringify({ role: 'user', content: [{ type: 'text', text }] })
  }
}
