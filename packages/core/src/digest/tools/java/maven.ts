import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { FailureList } from '../../reading/failure-list.ts'
import { TestUnits, testsRun, type TestsRun } from '../../tests-run.ts'
import { counted } from '../../../text/count-text.ts'

const LEVEL = /^\[(?:ERROR|INFO|WARNING|FATAL)\] ?/
const COUNTS = /^Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)(?:, Flakes: (\d+))?$/
/** The end of one class: Surefire 3 writes "in" or "-- in", after the time. */
const ENDED =
  /^Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+), .*?Time elapsed: .*? (?:-+ )?in (\S.*)$/
const MODULE = /^(?:\S.*?) \.+ (SUCCESS|FAILURE|SKIPPED)(?: \[|$)/
const CLASS = /^Tests run: \d+, .*<<< (?:FAILURE|ERROR)! -+ in (\S+)$/
/** Surefire 3 writes the class before the name, and `--` behind it; Surefire 2 no class, or one behind the name. */
const TEST = /^(\S.*?)(?: -- | {1,2})Time elapsed: \S+ s(?:ec)? {1,2}<<< (?:FAILURE|ERROR)!$/
const CLASS_BEHIND = /^([^\s(]{1,200})\(([\w.$]{1,300})\)$/
const RESULTS = /^(?:Results ?:|Failures: ?|Errors: ?|Failed tests: ?|Tests in error: ?)$/
/** Before 2.20 Surefire writes its lines without a level; the line before the end of a class names it. */
const SUREFIRE = /^--- (?:maven-)?(?:surefire|failsafe)(?:-plugin)?:(\d{1,4})\.(\d{1,4})/
const WITH_LEVELS = 20
const OLD = /^(?:Results ?:$|Running \S+$|Failed tests: |Tests in error: ?$)|<<< (?:FAILURE|ERROR)!$/
const RUNNING = /^Running (\S+)$/
const ENDED_UNNAMED = /^Tests run: (\d+), Failures: \d+, Errors: \d+, Skipped: (\d+), Time elapsed: [^]*$/
const FRAME =
  /^\s+at (?!(?:java\.base|app\/\/org\.junit|org\.junit|org\.opentest4j|org\.apache\.maven|jdk\.|sun\.|java\.)|app\/\/java)/
const CRASHED = /^(?:Crashed tests:|.*The forked VM terminated without)/
const GOAL = /^Failed to execute goal (.+)$/
const POM = /^(?:Non-parseable POM|'[\w.]+' (?:for|is) |The build could not read)/
const MESSAGE_LINES = 6
const MAX_FLAKES = 1000

class MavenScanner implements ToolScanner {
  readonly #failed = new FailureList({ all: true })
  readonly #flakes = new Set<string>()
  #class = ''
  #results = false
  #inFlakes = false
  #crashed = false
  #died = false
  #ran: number | null = null
  #told = 0
  #goal: string | null = null
  #success = false
  readonly #units = new TestUnits()
  #skipped = 0
  #stopped = false
  #isOld = false

  line(text: string): void {
    const level = LEVEL.exec(text)?.[0]
    if (level !== undefined) this.#said(text.slice(level.length), level.trim())
    else if (text.startsWith('Tests run: ') || (this.#isOld && OLD.test(text))) this.#said(text, '')
    else if (this.#failed.isOpen) this.#stack(text)
  }

  end(): ToolReport | null {
    const findings = this.#failed.findings().filter(({ title }) => !this.#flakes.has(title))
    const failures = Math.max(this.#told, findings.length)
    const goal = this.#goal
    const tests = this.#tests(failures)
    if (failures === 0 && goal !== null && !goal.includes('Compilation failure'))
      return { ...failedGoal(goal, this.#ran), tests }
    if (failures === 0 && !(this.#success || (this.#ran !== null && goal === null))) {
      // The compiler's tool reports compile errors; earlier modules have run their tests.
      return this.#ran === null ? null : { failures, summary: '', findings: [], collected: this.#ran, tests }
    }
    const passed = this.#ran === null ? 'build success' : `${counted(this.#ran, 'test')} passed`
    const summary = failures > 0 ? `${counted(failures, 'test')} failed` : passed
    // A program that died did not print its counts.
    return { failures, summary, findings, collected: this.#died ? null : this.#ran, tests }
  }

  /** The tests of the build; none if it does not mention tests. */
  #tests(failures: number): TestsRun {
    const ran = this.#died ? null : Math.max(0, (this.#ran ?? 0) - this.#skipped)
    return testsRun(ran, Math.min(failures, ran ?? failures), this.#units, { stopped: this.#stopped })
  }

  #said(text: string, level: string): void {
    if (text === 'BUILD SUCCESS') this.#success = true
    // In the reactor's summary, a skipped module came after a failed one.
    const state = text.includes(' ..') || text.endsWith('SKIPPED') ? MODULE.exec(text)?.[1] : undefined
    if (state === 'SKIPPED') {
      this.#stopped = true
      this.#units.lacks(text.replace(/ \.+ SKIPPED[^]*$/, ''))
    }
    const [, major, minor] = text.startsWith('--- ') ? (SUREFIRE.exec(text) ?? []) : []
    if (minor !== undefined) this.#isOld = major === '2' && Number(minor) < WITH_LEVELS
    if (this.#isOld) this.#class = RUNNING.exec(text)?.[1] ?? this.#class
    if (RESULTS.test(text)) this.#results = true
    if (text !== '') this.#flaky(text, level)
    if (text.startsWith('Tests run: ')) this.#counts(text)
    else if (text.includes('<<< ')) this.#test(text)
    else if (CRASHED.test(text)) this.#crashes(text)
    else if (this.#crashed) this.#crashedTest(text)
    else this.#goalOf(text, level)
  }

  #counts(text: string): void {
    this.#failed.close()
    this.#class = CLASS.exec(text)?.[1] ?? this.#class
    const ended = text.includes('Time elapsed') ? ENDED.exec(text) : null
    const unnamed = this.#isOld && ended === null ? ENDED_UNNAMED.exec(text) : null
    if (ended) this.#units.add(ended[5] ?? '', Number(ended[1]) - Number(ended[4]))
    if (unnamed) this.#units.add(this.#class, Number(unnamed[1]) - Number(unnamed[2]))
    // Tests can print this line too; the total comes after the results.
    const counts = this.#results ? COUNTS.exec(text) : null
    if (!counts) return
    this.#ran = (this.#ran ?? 0) + Number(counts[1])
    this.#skipped += Number(counts[4])
    this.#told += Number(counts[2]) + Number(counts[3])
    this.#results = this.#inFlakes = false
  }

  #test(text: string): void {
    const name = TEST.exec(text)?.[1]
    if (name === undefined) return
    const [, own, behind] = CLASS_BEHIND.exec(name) ?? []
    if (own !== undefined) return void this.#failed.add(`${behind}.${own}`)
    const bare = !name.startsWith(this.#class) && !/^[\w$]+(?:\.[\w$]+)+/.test(name)
    this.#failed.add(bare && this.#class !== '' ? `${this.#class}.${name}` : name)
  }

  /** The message of the exception, and the first frame outside of the framework. */
  #stack(text: string): void {
    if (text === '') return this.#failed.close()
    if (/^\s+(?:at |\.\.\. |Suppressed: )|^Caused by: /.test(text)) {
      if (!FRAME.test(text)) return
      this.#failed.more(text.trim())
      this.#failed.close()
    } else if (this.#failed.openLines < MESSAGE_LINES) this.#failed.more(text)
  }

  /** Surefire ran them again and they passed, so their first failures do not count. */
  #flaky(text: string, level: string): void {
    if (/^Flakes: ?$/.test(text)) this.#inFlakes = true
    else if (RESULTS.test(text)) this.#inFlakes = false
    else if (this.#inFlakes && level === '[WARNING]' && this.#flakes.size < MAX_FLAKES) this.#flakes.add(text.trim())
  }

  #crashes(text: string): void {
    this.#failed.close()
    this.#crashed = text.startsWith('Crashed')
    this.#died = true
  }

  #crashedTest(text: string): void {
    this.#crashed = false
    if (/^[\w$.]+$/.test(text)) this.#failed.add(text, ['The forked VM ended in the middle of this class.'])
    this.#failed.close()
  }

  /** A warning about a project's file has the same words as an error. */
  #goalOf(text: string, level: string): void {
    this.#failed.close()
    if (this.#goal === null)
      this.#goal = GOAL.exec(text)?.[1] ?? (level !== '[WARNING]' && POM.test(text) ? text : null)
  }
}

/** Something other than a test failed: a dependency, a plugin, the settings. */
function failedGoal(goal: string, collected: number | null): ToolReport {
  const [said = ''] = goal.split(' -> ')
  const title = said.replace(/^(?:\S+ )?(?:\([^)]*\) )?on project [^:]+: /, '')
  return { failures: 1, summary: 'the Maven build failed', findings: [{ title, detail: '' }], collected }
}

/** Maven with Surefire or Failsafe. Compile errors are for `javac`. */
export const maven: DigestTool = {
  name: 'maven',
  type: 'test',
  command: /(?:^|[\s;&|/])mvnw?(?=\s|$)/,
  signs: ['[ERROR] ', '[FATAL] ', 'Tests run: ', 'BUILD SUCCESS'],
  scan: () => new MavenScanner(),
}
