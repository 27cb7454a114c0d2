import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { MAX_FINDINGS } from '../../digest-tool.ts'
import { FailureList } from '../../reading/failure-list.ts'
import { TestUnits, testsRun } from '../../tests-run.ts'
import { counted } from '../../../text/count-text.ts'

const RUNNING = /^running (\d+) tests?$/
const BINARY = /^ +(?:Running|Doc-tests) (.+?)(?: \(([^()]*)\))?$/
const RESULT = /^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed;/
const ENDED = /^test (\S.*?)(?: - should panic)? \.\.\. (?:ok|FAILED)$/
/** A package or one of its targets: `error: could not compile `shop` (lib test) due to 1 previous error`. */
const UNBUILT = /^error: could not compile `([^`]+)`/
const TEST_FAILED = /^error: test failed, to rerun pass /
const ALL_FAILED = /^error: \d+ targets? failed:$/
const BLOCK = /^---- (.+?) (?:stdout|stderr) ----$/
const DIED = /^ +process didn't exit successfully: .*\((.+)\)$/
const PANIC = /^thread '.*' (?:\(\d+\) )?(panicked at .+|has overflowed its stack)$/
/** nextest begins, or shows the output of a test. */
const NEXTEST = /^ {1,12}Starting \d{1,9} tests? across \d|^(?:---|────) (?:TRY \d{1,4} )?STD(?:OUT|ERR): /
const NEXTEST_ENDS = /^ {1,12}Summary \[|^error: test run failed$/
const DETAIL_LINES = 8
const LAST_LINES = 4

/** `printed` is the tests' own output, which may be anything; `named` is the list of failed tests. */
type Part = 'before' | 'running' | 'printed' | 'named'

class CargoTestScanner implements ToolScanner {
  readonly #failed = new FailureList({ all: true })
  readonly #details = new Map<string, string[]>()
  #part: Part = 'before'
  #binary = ''
  #block: string[] | null = null
  #backtrace = false
  #last: string[] = []
  #passedCount = 0
  #failedCount = 0
  #collected = 0
  #seen = false
  readonly #units = new TestUnits()
  #crate = ''
  #stopped = false
  #nextest = false

  line(text: string): void {
    if (this.#isOfNextest(text)) return
    if (text.startsWith('error: ')) this.#error(text)
    if (text.startsWith('running ') && this.#part !== 'printed') this.#start(text)
    else if (text.startsWith('test result: ')) this.#result(text)
    else if (text === 'failures:') this.#failures()
    else if (this.#part === 'named') this.#name(text)
    else if (this.#part === 'printed') this.#printed(text)
    else if (text.startsWith(' ')) this.#cargo(text)
    else if (this.#part === 'running' && text.startsWith('test ')) this.#ended(text)
    else if (this.#part === 'running' && text !== '') this.#remember(text)
  }

  end(): ToolReport | null {
    // If the output was cut before the list of names, the printed blocks name the tests as well.
    if (this.#part === 'printed') for (const name of this.#details.keys()) this.#add(name)
    this.#vanished()
    if (!this.#seen) return null
    const failures = Math.max(this.#failedCount, this.#failed.count)
    const summary =
      failures > 0 ? `${counted(failures, 'test')} failed` : `${counted(this.#passedCount, 'test')} passed`
    const tests = testsRun(this.#passedCount + this.#failedCount, this.#failedCount, this.#units, {
      stopped: this.#stopped,
    })
    return { failures, summary, findings: this.#failed.findings(), collected: this.#collected, tests }
  }

  /** nextest starts this harness for each test, and counts them itself. */
  #isOfNextest(text: string): boolean {
    if (!this.#nextest) this.#nextest = NEXTEST.test(text)
    else if (NEXTEST_ENDS.test(text)) this.#nextest = false
    return this.#nextest
  }

  #start(text: string): void {
    const count = RUNNING.exec(text)
    if (!count) return
    this.#vanished()
    this.#seen = true
    this.#part = 'running'
    this.#collected += Number(count[1])
    this.#last = []
  }

  #result(text: string): void {
    const counts = RESULT.exec(text)
    if (!counts) return
    this.#seen = true
    this.#passedCount += Number(counts[2])
    this.#failedCount += Number(counts[3])
    this.#part = 'before'
    this.#details.clear()
  }

  #failures(): void {
    this.#part = this.#part === 'running' ? 'printed' : 'named'
    this.#block = null
  }

  #name(text: string): void {
    const name = /^ {4}(\S.*)$/.exec(text)?.[1]
    if (name !== undefined) this.#add(name)
    // A test printed "failures:"; the real list is still to come.
    else if (text !== '') this.#part = 'printed'
  }

  #add(name: string): void {
    // The same name may fail in several binaries.
    const title = this.#failed.has(name) && this.#binary !== '' ? `${name} (${this.#binary})` : name
    this.#failed.add(title, this.#details.get(name))
  }

  #printed(text: string): void {
    const name = text.startsWith('---- ') ? BLOCK.exec(text)?.[1] : undefined
    if (name !== undefined) {
      this.#block = []
      this.#backtrace = false
      if (this.#details.size < MAX_FINDINGS && !this.#details.has(name)) this.#details.set(name, this.#block)
    } else if (this.#block) this.#detail(this.#block, text)
  }

  /** A test's panic replaces its other output; the backtrace is left out. */
  #detail(block: string[], text: string): void {
    const panic = text.startsWith('thread ') ? PANIC.exec(text)?.[1] : undefined
    if (text === 'stack backtrace:') this.#backtrace = true
    else if (/^note: (?!run with|Some details)/.test(text)) this.#backtrace = false
    if (panic !== undefined) block.splice(0, block.length, panic)
    else if (!this.#backtrace && text !== '' && !/^note: (?:run with|Some details)/.test(text)) {
      if (block.length < DETAIL_LINES) block.push(text)
    }
  }

  #cargo(text: string): void {
    const [, binary, path] = BINARY.exec(text) ?? []
    if (binary !== undefined) {
      this.#binary = binary
      // `target/debug/deps/shop-0123456789abcdef`: the hash depends on the build.
      this.#crate = (path ?? binary).replace(/^.*[/\\]/, '').replace(/-[0-9a-f]{16}(?:\.exe)?$/, '')
    }
    const died = this.#part === 'running' ? DIED.exec(text)?.[1] : undefined
    if (died === undefined) return
    this.#units.lacks(this.#crate)
    this.#failed.add(`${this.#binary || 'the tests'} died: ${died}`, this.#last)
    this.#failedCount += 1
    this.#part = 'before'
  }

  /** A test program that exits with 0 in the middle of its tests prints no result. */
  #vanished(): void {
    if (this.#part === 'running') this.#units.lacks(this.#crate || 'the tests')
  }

  #ended(text: string): void {
    const name = ENDED.exec(text)?.[1]
    if (name !== undefined) this.#units.add(`${this.#crate} ${name}`.trim())
  }

  /** With `--no-fail-fast` a list of all failures comes last. */
  #error(text: string): void {
    const unbuilt = UNBUILT.exec(text)?.[1]
    if (unbuilt !== undefined) this.#units.lacks(unbuilt)
    if (TEST_FAILED.test(text)) this.#stopped = true
    else if (ALL_FAILED.test(text)) this.#stopped = false
  }

  #remember(text: string): void {
    if (/^(?:error: |Caused by:)/.test(text)) return
    this.#last.push(text)
    if (this.#last.length > LAST_LINES) this.#last.shift()
  }
}

/** The harness of Rust's tests. `cargo-build` reports compile errors. */
export const cargoTest: DigestTool = {
  name: 'cargo-test',
  type: 'test',
  command: /(?:^|[\s;&|/])cargo\s+(?:\+\S+\s+)?(?:test|t)(?=\s|$)/,
  signs: ['test result: ', '\nrunning ', 'stdout ----'],
  scan: () => new CargoTestScanner(),
}
