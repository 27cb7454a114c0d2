/** Kinds of code that have a colour. `Runs` uses their indices. */
export const scopes = ['keyword', 'string', 'number', 'comment', 'title', 'type', 'attribute', 'meta'] as const
export type Scope = (typeof scopes)[number]

/** A line's pieces: length and scope in turn; -1: no scope. The rest of the line has none. */
export type Runs = readonly number[]

const PLAIN = -1

/** By the first word of the library's scopes. It has more of them than anybody can tell apart by colour. */
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

/** Collects pieces of text and gives the runs of its lines. */
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
