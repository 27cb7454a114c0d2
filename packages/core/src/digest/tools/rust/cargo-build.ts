import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { FailureList } from '../../reading/failure-list.ts'
import { renderedDiagnostic } from './rustc-json.ts'
import { counted } from '../../../text/count-text.ts'

/*
 * rustc and clippy print the same lines through cargo. Each error is read whole; if it mentions clippy, clippy's tool
 * reports it, otherwise rustc's.
 */

const ERROR = /^error(?:\[[A-Z]\d+\])?: (.+)$/
const PLACE = /^ *--> (.+)$/
/** `--message-format=short` */
const SHORT = /^(\S[^:]*):\d+:\d+: (error(?:\[[A-Z]\d+\])?|warning): (.+)$/
/** Lines of cargo and rustc that only follow from errors. */
const CONSEQUENCE =
  /^(?:could not compile |aborting due to |test failed|test run failed|no tests to run|doctest failed|bench failed|\d+ targets? failed|build failed|could not document |some crates failed|process didn't exit)/
const STATUS = /^ +(Compiling|Checking|Documenting|Finished|Running|Doc-tests|Building|Fresh|Dirty|Updating|Locking) /
const SCRIPT = /^failed to run custom build command/
const LINES = 60
const DETAIL_LINES = 7

/** `script` is a failed build script: its output follows, with blank lines in it. */
type Open = { title: string; lines: string[]; clippy: boolean; placed: boolean; script: boolean }

class RustcScanner implements ToolScanner {
  readonly #clippy: boolean
  readonly #errors = new FailureList()
  #open: Open | null = null
  /** A program or its tests are running, and may print anything. */
  #running = false
  #cargo = false
  #sawClippy = false
  #ended = false

  constructor(isClippy: boolean) {
    this.#clippy = isClippy
  }

  line(text: string): void {
    if (text.startsWith('{"reason":"')) {
      this.#cargo = true
      this.#ended ||= text.includes('"build-finished","success":true')
      for (const line of renderedDiagnostic(text)) this.#read(line)
      this.#close()
    } else this.#read(text)
  }

  end(): ToolReport | null {
    this.#close()
    const failures = this.#errors.count
    const passed = this.#ended && (this.#clippy ? this.#sawClippy : true)
    if (failures === 0 && !passed) return null
    const kind = this.#clippy ? 'lint' : 'build'
    const summary = failures > 0 ? this.#summary(kind, failures) : `${kind} without errors`
    return { failures, summary, findings: this.#errors.findings(), collected: null }
  }

  #read(text: string): void {
    if (text.startsWith('  ')) this.#status(text)
    if (this.#running) return
    if (text.startsWith('error')) this.#begin(text)
    else if (text === '' ? !this.#open?.script : text.startsWith('warning')) this.#close()
    else if (this.#open) this.#more(this.#open, text)
    if (!this.#open && text.includes(': error')) this.#short(text)
    if (text.includes('clippy')) this.#sawClippy = true
  }

  #status(text: string): void {
    const word = STATUS.exec(text)?.[1]
    if (word === undefined) return
    this.#close()
    this.#cargo = true
    this.#ended ||= word === 'Finished'
    this.#running = word === 'Running' || word === 'Doc-tests'
  }

  #begin(text: string): void {
    this.#close()
    const message = ERROR.exec(text)?.[1]
    if (message !== undefined && !CONSEQUENCE.test(message))
      this.#open = { title: text, lines: [], clippy: false, placed: false, script: SCRIPT.test(message) }
  }

  #more(open: Open, text: string): void {
    if (text.includes('clippy')) open.clippy = true
    const place = open.placed ? null : PLACE.exec(text)?.[1]
    if (typeof place === 'string') {
      open.placed = true
      open.title = `${place}: ${open.title}`
    } else if (open.lines.length < LINES) open.lines.push(text)
  }

  #short(text: string): void {
    const level = SHORT.exec(text)?.[2]
    if (level?.startsWith('error') && !this.#clippy && /\.rs:|Cargo\.toml:/.test(text)) this.#errors.add(text)
  }

  /** An error without a place counts only after lines of cargo: git and npm print "error: " too. */
  #close(): void {
    const open = this.#open
    this.#open = null
    if (!open || !(open.placed || this.#cargo || /^ *[|=]/.test(open.lines[0] ?? ''))) return
    if (open.clippy === this.#clippy)
      this.#errors.add(open.title, open.script ? scriptSaid(open.lines) : shown(open.lines))
  }

  #summary(kind: string, failures: number): string {
    if (kind === 'build') return `${counted(failures, 'build error')}:`
    const files = new Set(this.#errors.titles().map((title) => title.split(':')[0]))
    return `${counted(failures, 'lint error')} in ${counted(files.size, 'file')}:`
  }
}

/** Empty gutters, the origin of a lint's level, and the linker's command line. */
const NOISE = /^ *\|?$|#\[(?:warn|deny|allow)\(|-[DW] clippy|= note: +"|= note: some arguments are omitted/

/** The lines without noise, and without the proposed change, which is as long as the code. */
function shown(lines: readonly string[]): string[] {
  const kept = lines.filter((line) => !NOISE.test(line))
  const aside = kept.findIndex((line) => /^(?:help|note): /.test(line))
  if (aside < 0) return kept.slice(0, DETAIL_LINES)
  return kept.slice(0, Math.min(kept[aside]?.startsWith('help') ? aside + 1 : aside, DETAIL_LINES))
}

/** The output of a build script before its stack. */
function scriptSaid(lines: readonly string[]): string[] {
  const from = lines.findIndex((line) => line.trim() === '--- stderr')
  const trace = lines.findIndex((line) => line.trim() === 'stack backtrace:')
  const said = lines.slice(from + 1, trace < 0 ? undefined : trace)
  return said.filter((line) => line.trim() !== '' && !/note: (?:run with|To improve)/.test(line)).slice(0, DETAIL_LINES)
}

const signs = ['error[E', ' --> ', 'could not compile', '   Compiling ', '    Checking ', '    Finished ']

export const cargoBuild: DigestTool = {
  name: 'cargo-build',
  type: 'build',
  command: /(?:^|[\s;&|/])(?:cargo\s+(?:\+\S+\s+)?(?:build|check|b|c|run|rustc)|rustc)(?=\s|$)/,
  signs: [...signs, '"reason":"', ': error[E', 'error: failed to', 'error: unclosed'],
  scan: () => new RustcScanner(false),
}

export const clippy: DigestTool = {
  name: 'clippy',
  type: 'lint',
  command: /(?:^|[\s;&|/])cargo\s+(?:\+\S+\s+)?clippy(?=\s|$)/,
  signs: ['clippy'],
  scan: () => new RustcScanner(true),
}
