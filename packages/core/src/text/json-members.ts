/** A member of an object in JSON text, as offsets into the text. */
export type Member = { key: string; start: number; valueStart: number; valueEnd: number }

/**
 * The members of the object in `text`, in order. The text must be valid JSON and an object; otherwise the offsets mean
 * nothing. Only strings need care; everything else is skipped by its brackets.
 */
export function membersOf(text: string): Member[] {
  const members: Member[] = []
  let at = skipSpace(text, text.indexOf('{') + 1)
  while (at < text.length && text[at] !== '}') {
    const start = at
    const keyEnd = skipString(text, at)
    const key = JSON.parse(text.slice(start, keyEnd)) as string
    const valueStart = skipSpace(text, text.indexOf(':', keyEnd) + 1)
    const valueEnd = skipValue(text, valueStart)
    members.push({ key, start, valueStart, valueEnd })
    at = skipSpace(text, valueEnd)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return members
}

/**
 * The text with this member's value replaced, or the member added at its place in `order`; every other byte stays.
 * `value` is JSON text. If a key occurs twice, the last one counts, as in every parser.
 */
export function setMember(text: string, key: string, value: string, order: readonly string[]): string {
  const members = membersOf(text)
  const known = members.findLast((member) => member.key === key)
  if (known) return text.slice(0, known.valueStart) + value + text.slice(known.valueEnd)
  const { afterColon, afterComma } = spacing(text, members)
  const added = `${JSON.stringify(key)}:${afterColon}${value}`
  const before = new Set(order.slice(0, Math.max(0, order.indexOf(key))))
  const place = members.findLast((member) => before.has(member.key)) ?? members.at(-1)
  if (!place) return text.replace('{', () => `{${added}`)
  return `${text.slice(0, place.valueEnd)},${afterComma}${added}${text.slice(place.valueEnd)}`
}

/** The text without this member and its comma. */
export function removeMember(text: string, key: string): string {
  const members = membersOf(text)
  const at = members.findLastIndex((member) => member.key === key)
  const known = members[at]
  if (!known) return text
  const next = members[at + 1]
  if (next) return text.slice(0, known.start) + text.slice(next.start)
  const former = members[at - 1]
  return text.slice(0, former ? former.valueEnd : known.start) + text.slice(known.valueEnd)
}

/** The text with one more element in this array; a missing array is added. */
export function appendTo(text: string, key: string, value: string, order: readonly string[]): string {
  const known = membersOf(text).findLast((member) => member.key === key)
  if (!known || text[known.valueStart] !== '[') return setMember(text, key, `[${value}]`, order)
  const end = known.valueEnd - 1
  const inside = text.slice(known.valueStart + 1, end).trimEnd()
  const head = text.slice(0, known.valueStart + 1) + inside
  const comma = inside === '' ? '' : `,${spacing(text, membersOf(text)).afterComma}`
  return head + comma + value + text.slice(end)
}

/** The spacing: compact as from `bd`, or with another writer's spaces. */
function spacing(text: string, members: readonly Member[]): { afterColon: string; afterComma: string } {
  const [first, second] = members
  if (!first) return { afterColon: '', afterComma: '' }
  const colon = text.slice(first.start, first.valueStart)
  const comma = second ? text.slice(first.valueEnd, second.start) : ''
  return { afterColon: /:(\s*)$/.exec(colon)?.[1] ?? '', afterComma: /^,(\s*)$/.exec(comma)?.[1] ?? '' }
}

function skipSpace(text: string, at: number): number {
  let next = at
  while (next < text.length && ' \t\r\n'.includes(text[next] ?? '')) next += 1
  return next
}

/** From the opening quote at `at` to just past the closing one. */
function skipString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return quote + 1
  }
  return text.length
}

function skipValue(text: string, at: number): number {
  if (text[at] === '"') return skipString(text, at)
  let depth = 0
  for (let next = at; next < text.length; next += 1) {
    const char = text[next] ?? ''
    if (char === '"') next = skipString(text, next) - 1
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') {
      if (depth === 0) return text.slice(at, next).trimEnd().length + at
      depth -= 1
      if (depth === 0) return next + 1
    } else if (char === ',' && depth === 0) return text.slice(at, next).trimEnd().length + at
  }
  return text.length
}
