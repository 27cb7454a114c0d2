/** What a piece of code is, as far as it has a colour. The order is that of the numbers in `Runs`. */
export const scopes = ['keyword', 'string', 'number', 'comment', 'title', 'type', 'attribute', 'meta'] as const
export type Scope = (typeof scopes)[number]

/** A line's pieces: their length and what they are, in turn; -1: nothing special. What follows them is nothing special. */
export type Runs = readonly number[]

const PLAIN = -1

/** By the first word of the library's own scopes, which are more than anybody can tell apart by colour. */
const known: Record<string, Scope> = {
  keyword: 'keyword',
  'selector-tag': 'keyword',
  name: 'keyword',
  doctag: 'keyword',
  string: 'string',
  regexp: 'string',
  char: 'string',
  link: 'string',
  code: 'string',
  number: 'number',
  literal: 'number',
  symbol: 'number',
  bullet: 'number',
  comment: 'comment',
  quote: 'comment',
  title: 'title',
  section: 'title',
  type: 'type',
  built_in: 'type',
  'selector-class': 'type',
  'selector-id': 'type',
  attr: 'attribute',
  attribute: 'attribute',
  property: 'attribute',
  variable: 'attribute',
  'template-variable': 'attribute',
  'selector-attr': 'attribute',
  meta: 'meta',
}

/** `title.class.inherited` is a type, `title.function` a title, `subst` within a string is code again. */
export function scopeNumber(scope: string, around: number): number {
  if (scope.startsWith('title.class')) return scopes.indexOf('type')
  const [first = ''] = scope.split('.')
  if (first === 'subst') return PLAIN
  return Object.hasOwn(known, first) ? scopes.indexOf(known[first] ?? 'meta') : around
}

/** Takes pieces of a text as they come and gives the runs of its lines. */
export class RunWriter {
  readonly lines: number[][] = [[]]

  add(text: string, scope: number): void {
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) this.lines.push([])
      const line = this.lines.at(-1)
      if (part === '' || line === undefined) continue
      if (line.length > 0 && line.at(-1) === scope) line[line.length - 2] = (line.at(-2) ?? 0) + part.length
      else line.push(part.length, scope)
    }
  }
}
