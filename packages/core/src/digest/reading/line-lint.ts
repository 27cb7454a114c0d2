import type { DigestTool, ToolReport, ToolScanner } from '../digest-tool.ts'
import { FailureList } from './failure-list.ts'
import { FileSet, FORMATTING_ALONE } from './lint-report.ts'
import { counted } from '../../text/count-text.ts'

/**
 * A linter with a line for each finding. The groups of `heading` and `rows` are `file`, `at` ("3:5"), `level`, `text`
 * and `rule`; a row takes missing ones from the heading above it.
 */
export type LineLint = Pick<DigestTool, 'name' | 'command' | 'signs' | 'silent'> & {
  /** Its usual name. */
  label: string
  type?: 'build' | 'lint'
  /** A line that only this linter prints, if its rows look like others'. */
  sure?: RegExp
  /** Another tool with the same rows prints such a line. */
  unless?: RegExp
  /** Names the file for the rows below it. */
  heading?: RegExp
  /** The end of each heading. */
  headingEnds?: string
  /** Only rows below a heading count. */
  headed?: boolean
  rows: readonly RegExp[]
  /** A text in every row: lines without it cost no expression. */
  hint?: string
  /** Levels that do not fail the check. */
  harmless?: RegExp
  /** Rows without a `rule` may have it at the end of the text, behind some blanks. */
  ruleLast?: boolean
  /** The text about a file if the linter prints none. */
  plain?: string
  /** Another line of the last finding; its group is shown below, or continues the message, or is the place. */
  more?: RegExp
  moreIs?: 'message' | 'place'
  /** For a formatter: a line about a file without a level or a rule is about style, unless it is an error. */
  formats?: RegExp
  /** Begins the list of callers of the last finding's place; one in the project is shown first. */
  stack?: RegExp
  caller?: RegExp
  /** The linter's own count of failures, and its line if there are none. */
  total?: RegExp
  clean?: RegExp
}

/** The tool for a linter with a line for each finding. */
export function lineLinter(lint: LineLint): DigestTool {
  const { name, command, signs, silent } = lint
  return {
    name,
    type: lint.type ?? 'lint',
    command,
    signs,
    ...(silent === true && { silent }),
    scan: () => new LineLintScanner(lint),
  }
}

const LINES = 3
const MAX_TITLE = 500

class LineLintScanner implements ToolScanner {
  readonly #lint: LineLint
  readonly #found = new FailureList()
  readonly #files = new FileSet()
  #heading: Record<string, string | undefined> = {}
  #last: { title: string; lines: string[] } | null = null
  #stack: 'none' | 'open' | 'told' = 'none'
  #isFormatting = true
  #told = 0
  #clean = false
  #sure: boolean
  #other = false

  constructor(lint: LineLint) {
    this.#lint = lint
    this.#sure = lint.sure === undefined
  }

  line(text: string): void {
    const { heading, rows, more, total, clean, sure, unless, hint } = this.#lint
    this.#sure ||= sure?.test(text) === true
    this.#other ||= unless?.test(text) === true
    const candidates = hint === undefined || text.includes(hint) ? rows : []
    for (const row of candidates) {
      const found = row.exec(text)
      if (found) return this.#row({ ...this.#heading, ...defined(found.groups) })
    }
    if (this.#called(text)) return
    const further = this.#last === null ? null : more?.exec(text)
    if (further) return this.#more((further[1] ?? '').trim())
    this.#close()
    const file = text.endsWith(this.#lint.headingEnds ?? '') ? heading?.exec(text) : null
    if (file) this.#heading = { ...file.groups }
    const count = total?.exec(text)
    if (count) this.#told += Number(count[1] ?? 0)
    if (clean?.test(text)) this.#clean = true
  }

  end(): ToolReport | null {
    this.#close()
    const { label, type } = this.#lint
    if (!this.#sure || this.#other) return null
    const failures = this.#found.count === 0 ? 0 : Math.max(this.#found.count, this.#told)
    if (failures === 0)
      return this.#clean ? { failures, summary: `${label} found no errors`, findings: [], collected: null } : null
    const summary =
      type === 'build'
        ? `${counted(failures, 'build error')}:`
        : `${counted(failures, 'lint error')} in ${counted(Math.max(1, this.#files.size), 'file')} (${label}${this.#isFormatting ? FORMATTING_ALONE : ''}):`
    return { failures, summary, findings: this.#found.findings(), collected: null }
  }

  #row({ file, at, level, text = this.#lint.plain ?? '', rule }: Record<string, string | undefined>): void {
    this.#close()
    if (file === undefined && this.#lint.headed === true) return
    if (level !== undefined && this.#lint.harmless?.test(level)) return
    if (file !== undefined) this.#files.add(file)
    const place = [file, at?.replace(/, ?(?:col )?| \| P: {0,4}/, ':')].filter((part) => part !== undefined).join(':')
    const [message, name] = this.#lint.ruleLast === true && rule === undefined ? parted(text) : [text, rule]
    const said = [
      message.trim().replace(/ {2,}/g, ' '),
      name === undefined || message.includes(name) ? '' : `(${name})`,
    ]
    const title = `${place}${place === '' ? '' : ': '}${said.filter((part) => part !== '').join(' ')}`
    this.#last = { title, lines: [] }
    this.#isFormatting &&= this.#lint.formats?.test(text) === true
  }

  #more(text: string): void {
    const last = this.#last
    const { moreIs } = this.#lint
    if (last === null || last.lines.length >= LINES || text === '') return
    if (moreIs === 'message') last.title = `${last.title} ${text}`.slice(0, MAX_TITLE)
    else if (moreIs === 'place') last.title = `${text}: ${last.title}`
    else last.lines.push(text)
    if (moreIs === 'place') last.lines.push('', '', '')
  }

  /** True if it belongs to the list of callers, nearest first. */
  #called(text: string): boolean {
    const { stack, caller } = this.#lint
    if (this.#last === null || stack === undefined) return false
    if (stack.test(text)) this.#stack = 'open'
    else if (this.#stack === 'none' || !text.startsWith('  ')) return false
    const found = this.#stack === 'open' ? caller?.exec(text) : null
    if (!found) return true
    const place = `${found.groups?.['file']}:${found.groups?.['at']}`
    if (!this.#last.title.startsWith(`${place}:`)) this.#last.title = `${place}: ${this.#last.title}`
    this.#stack = 'told'
    return true
  }

  #close(): void {
    this.#stack = 'none'
    if (this.#last)
      this.#found.add(
        this.#last.title,
        this.#last.lines.filter((line) => line !== ''),
      )
    this.#found.close()
    this.#last = null
  }
}

/** A group that did not take part in a match does not hide the heading's. */
const defined = (groups: Record<string, string | undefined> | undefined): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(groups ?? {}).filter(([, value]) => value !== undefined))

/** "Empty block" and "block-no-empty" of "Empty block   block-no-empty". */
function parted(text: string): [string, string | undefined] {
  const at = text.lastIndexOf('  ')
  const rule = text.slice(at + 2)
  return at > 0 && /^[\w/@-]{1,100}$/.test(rule) ? [text.slice(0, at), rule] : [text, undefined]
}
