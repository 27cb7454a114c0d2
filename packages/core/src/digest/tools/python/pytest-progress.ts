import { TestUnits, testsRun, type TestsRun } from '../../tests-run.ts'

/** "tests/test_a.py ..F.s                                    [ 40%]", and the lines that continue it. */
const FILE = /^(\S.*\.(?:py|txt|rst|md|ya?ml|ipynb)) ([.FEsxXRu,-]+)\s*(?:\[ {0,2}\d{1,3}%\])?$/
const MORE = /^([.FEsxXRu,-]+)\s*(?:\[ {0,2}\d{1,3}%\])?$/
/** "tests/test_a.py::test_x[1] PASSED  [ 40%]" (`-v`); with workers "[gw0] [ 40%] PASSED tests/test_a.py::test_x". */
const WORDS = [' PASSED', ' FAILED']
const VERDICT = /^ [A-Z]{4,6}(?: \([^()]{0,200}\))?\s{0,80}(?:\[ {0,2}\d{1,3}%\] ?){0,2}$/
const WORKER = /^\[gw\d+\] \[ {0,2}\d{1,3}%\] (PASSED|FAILED) (\S.*)$/
/** pytest-pretty repeats the progress after a failed test. */
const REPEATED = / \[ {0,2}\d{1,3}%\]$/
const STOPPED = /^!+ stopping after \d+ failures? !+$/
const INTERRUPTED = /^!+ (?:Interrupted|_pytest\.outcomes\.Exit|KeyboardInterrupt)\b/

/** The progress that pytest prints: the files, or with `-v` the tests, that have a verdict. */
export class PytestProgress {
  readonly #units = new TestUnits()
  #file: string | null = null
  #stopped = false

  /** @param section the banner above */
  line(text: string, section: string): void {
    if (text.startsWith('!!')) {
      this.#stopped ||= STOPPED.test(text) || INTERRUPTED.test(text)
      return
    }
    if (section !== 'test session starts') return
    if (text.includes('::')) this.#named(text)
    else this.#dots(text)
  }

  /** A session within the session, which a test prints, comes before the real one. */
  enter(banner: string): void {
    this.#file = null
    if (banner === 'short test summary info') this.#stopped = false
  }

  /** The session's last line has come: later lines, such as another runner's dots, belong to no file. */
  close(): void {
    this.#file = null
  }

  /** A file that could not be collected. */
  lacks(file: string): void {
    this.#units.lacks(file)
  }

  /** @param counts from its last line; null: it ended without one */
  tests(counts: { ran: number; passed: number } | null): TestsRun {
    const run = testsRun(counts?.ran ?? null, 0, this.#units, { stopped: this.#stopped })
    return { ...run, passed: counts?.passed ?? 0, units: counts === null ? [] : run.units }
  }

  #named(text: string): void {
    const worker = text.startsWith('[gw') ? WORKER.exec(text) : null
    const name = worker ? worker[2]?.replace(REPEATED, '').trimEnd() : verboseName(text)
    if (name !== undefined) this.#units.add(name)
  }

  #dots(text: string): void {
    if (text === '') return
    const more = this.#file === null ? null : MORE.exec(text)
    const [, file, dots = ''] = more ? [] : (FILE.exec(text) ?? [])
    if (file !== undefined) this.#file = file
    else if (!more) this.#file = null
    if (this.#file !== null) this.#units.add(this.#file, verdicts(more?.[1] ?? dots))
  }
}

/** The name up to the last word of a verdict: the name may contain such words, too. */
function verboseName(text: string): string | undefined {
  const at = Math.max(...WORDS.map((word) => text.lastIndexOf(word)))
  const name = at > 0 && VERDICT.test(text.slice(at)) ? text.slice(0, at) : ''
  return /^\S/.test(name) && name.includes('::') ? name : undefined
}

/**
 * `s` was skipped, `x` and `X` are of tests that may fail, `E` has no verdict, `u` and `,` are for subtests, `R` is
 * repeated.
 */
const verdicts = (dots: string): number => dots.replace(/[^.F]/g, '').length
