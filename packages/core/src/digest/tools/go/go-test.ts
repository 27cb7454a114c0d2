import type { DigestTool, ToolReport, ToolScanner } from '../../digest-tool.ts'
import { FailureList, jsonObject, textOf } from '../../reading/failure-list.ts'
import { ENDED_EARLY } from '../../reading/failure-blocks.ts'
import { GoTests } from './go-tests.ts'
import { counted } from '../../../text/count-text.ts'

const OUTCOME = /^( *)--- (FAIL|PASS|SKIP): (\S+) \([\d.]+s\)$/
const CURRENT = /^=== (RUN|CONT|NAME|PAUSE) +(\S+)$/
const FAILED_PACKAGE = /^FAIL\t(\S+)(?:\t[\d.]+s)?(?: \[([a-z ]+)\])?$/
const PASSED_PACKAGE = /^(?:ok {2}\t|\? {3}\t)(\S+)/
const CRASH = /^(?:panic: |fatal error: |SIG[A-Z]+: |runtime: |exit status [1-9]|signal: |WARNING: DATA RACE)/
/** Frames of Go itself: they tell nothing about the code. */
const FRAME =
  /^\s+(\/(?!.*\/src\/(?:testing|runtime|sync|internal|time|reflect|os|net|io|bufio|context|syscall|errors|fmt)\/)\S+\.(?:go|s):\d+)/
const NOTHING_TO_RUN = '[no tests to run]'
const UNBUILT = / \[(?:build|setup) failed\]$/
const TIMED_OUT = /^\t\t(\S+) \(\S+\)$/

class GoTestScanner implements ToolScanner {
  readonly #tests = new GoTests()
  /** For the package that is being read. */
  #crash: string[] = []
  #frame = false
  /** The test that is printing (`-v`), before its failure is reported. */
  #current: string | null = null
  #below: { name: string; indent: number } | null = null
  #json = false
  #seen = false
  #compilerSpoke = false
  #summed = false
  #passedPackages = 0
  /** Packages without a test to run: they have only benchmarks, or examples without an expected output. */
  #emptyPackages = 0
  /** Packages whose program has ended properly, which it says only if tests are announced; '' without `-json`. */
  readonly #saidPass = new Set<string>()
  /** Packages of `-json` that reported no test, and have not ended. */
  readonly #saidEmpty = new Set<string>()

  line(text: string): void {
    if (text.startsWith('# ')) this.#compilerSpoke = true
    // gotestsum has a tool of its own, and may repeat the output of tests.
    if (text === '=== Failed' || (text.startsWith('DONE ') && / tests?\b.* in [\d.]+s$/.test(text))) this.#summed = true
    if (text.startsWith('{"') && text.includes('"Action":"')) this.#event(text)
    else if (!this.#json) this.#read(text)
  }

  end(): ToolReport | null {
    if (this.#summed) return null
    if (!this.#json && this.#crash.length > 0 && this.#tests.named > 0) this.#tests.crash('', this.#crash)
    // A program that prints tests' names itself and exits takes the end of its package with it.
    for (const pkg of this.#json ? this.#tests.openPackages : []) {
      this.#tests.inPackage(pkg)
      this.#tests.crash(pkg, [ENDED_EARLY])
    }
    const failed = new FailureList({ all: true })
    for (const { title, detail } of this.#tests.failed()) failed.add(title, detail)
    const failures = failed.count
    if (failures === 0 && !this.#seen) return null
    const empty = this.#emptyPackages > 0 && this.#emptyPackages === this.#passedPackages && failures === 0
    const collected = this.#tests.collected ?? (empty ? 0 : null)
    const passed =
      collected === null ? `${counted(this.#passedPackages, 'package')} passed` : `${counted(collected, 'test')} passed`
    const unbuilt = failures > 0 && failed.titles().every((title) => UNBUILT.test(title))
    const { tests } = this.#tests
    // The compiler's lines say more than the missing test; tests of other packages still count.
    if (unbuilt && this.#compilerSpoke) return { failures: 0, summary: passed, findings: [], collected, tests }
    const what = unbuilt ? `${counted(failures, 'package')} failed to build` : `${counted(failures, 'test')} failed`
    const summary = failures > 0 ? what : passed
    return { failures, summary, findings: failed.findings(), collected, tests }
  }

  #read(text: string): void {
    const first = text.charCodeAt(0)
    if (text.includes('--- ') && this.#outcome(text)) return
    if (first === 0x3d && this.#switch(text)) return
    // A test may have left an unfinished line in front of it.
    if (text.endsWith('PASS')) this.#saidPass.add('')
    if ((first === 0x46 || first === 0x6f || first === 0x3f) && this.#package(text)) return
    if (first > 0x20 && CRASH.test(text)) this.#crashed(text)
    else if (this.#crash.length > 0) this.#trace(text)
    else this.#printed(text)
  }

  #outcome(text: string): boolean {
    const [, indent = '', outcome, name = ''] = OUTCOME.exec(text) ?? []
    if (outcome === undefined) return false
    this.#below = null
    if (outcome === 'PASS') this.#tests.passed(name)
    else if (outcome === 'SKIP') this.#tests.skipped(name)
    else if (this.#tests.fail(name)) this.#below = { name, indent: indent.length }
    if (outcome === 'FAIL' && this.#crash[0]?.startsWith('WARNING: ') === true) {
      this.#tests.print(name, ...this.#crash)
      this.#crash = []
    }
    return true
  }

  #switch(text: string): boolean {
    const [, what, name = ''] = CURRENT.exec(text) ?? []
    if (what === undefined) return /^={18}$/.test(text)
    this.#below = null
    this.#current = name
    if (what === 'RUN') this.#tests.run(name)
    return true
  }

  #package(text: string): boolean {
    const [, failed, why] = FAILED_PACKAGE.exec(text) ?? []
    const passed = failed === undefined ? PASSED_PACKAGE.exec(text)?.[1] : undefined
    const name = failed ?? passed
    if (name === undefined) return text === 'FAIL'
    this.#seen = true
    if (failed !== undefined) {
      if (why !== undefined) this.#tests.broken(name, why)
      else this.#tests.crash(name, this.#crash)
    } else if (text.startsWith('ok')) {
      this.#passedPackages += 1
      if (text.endsWith(NOTHING_TO_RUN)) this.#emptyPackages += 1
      this.#endsEarly('', name)
    }
    const none = text.endsWith(NOTHING_TO_RUN) || text.endsWith('[no test files]')
    this.#tests.endPackage(name, none || why !== undefined ? 'empty' : passed === undefined ? 'failed' : 'passed')
    this.#crash = []
    this.#current = this.#below = null
    return true
  }

  #crashed(text: string): void {
    if (this.#crash.length === 0 || this.#crash[0]?.startsWith('WARNING: ')) {
      this.#crash = [text]
      this.#frame = false
    } else if (!text.startsWith('exit status')) this.#trace(text)
  }

  /** For a stack, the first frame of the code under test; for a timeout, the running tests. */
  #trace(text: string): void {
    const running = text.startsWith('\t\t') ? TIMED_OUT.exec(text)?.[1] : undefined
    if (running !== undefined && this.#crash[0]?.startsWith('panic: test timed out')) this.#tests.fail(running)
    const frame = this.#frame || !text.includes('/') ? undefined : FRAME.exec(text)?.[1]
    if (frame === undefined) return
    this.#frame = true
    this.#crash.push(`at ${frame}`)
  }

  #printed(text: string): void {
    const indent = text.length - text.trimStart().length
    if (this.#below && indent > this.#below.indent)
      this.#tests.print(this.#below.name, text.slice(this.#below.indent + 4))
    else if (this.#current !== null) this.#tests.print(this.#current, text)
  }

  #event(text: string): void {
    const event = jsonObject(text)
    const action = textOf(event?.['Action'])
    const name = textOf(event?.['Test'])
    const pkg = textOf(event?.['Package'])
    this.#compilerSpoke ||= action === 'build-output'
    if (pkg === '' || action === '') return
    this.#json = this.#seen = true
    this.#tests.inPackage(pkg)
    if (action === 'run') this.#tests.run(name)
    else if (action === 'output') this.#output(pkg, name, textOf(event?.['Output']))
    else if (action === 'pass' || action === 'skip') this.#ends(name, pkg, action === 'pass')
    else if (action === 'fail' && name !== '') this.#tests.fail(name)
    else if (action === 'fail') {
      const built = textOf(event?.['FailedBuild']) === ''
      if (built) this.#tests.crash(pkg, this.#tests.printed(''))
      else this.#tests.broken(pkg, 'build failed')
      this.#tests.endPackage(pkg, built ? 'failed' : 'empty')
    }
  }

  /** `go test` passes a program by its exit code; a program that did not exit early has printed PASS before. */
  #endsEarly(key: string, pkg: string): void {
    if (!this.#saidPass.delete(key) && this.#tests.hasVerdicts) this.#tests.crash(pkg, [ENDED_EARLY])
  }

  #ends(name: string, pkg: string, passed: boolean): void {
    if (name !== '') return passed ? this.#tests.passed(name) : this.#tests.skipped(name)
    const isEmpty = this.#saidEmpty.delete(pkg)
    if (passed) {
      this.#passedPackages += 1
      this.#endsEarly(pkg, pkg)
    }
    if (passed && isEmpty) this.#emptyPackages += 1
    this.#tests.endPackage(pkg, passed && !isEmpty ? 'passed' : 'empty')
  }

  #output(pkg: string, name: string, output: string): void {
    const text = output.replace(/\n$/, '')
    if (text.endsWith('PASS')) this.#saidPass.add(pkg)
    // It comes right before the end of its package.
    if (name === '' && text.startsWith('ok  \t') && text.endsWith(NOTHING_TO_RUN)) this.#saidEmpty.add(pkg)
    if (/^(?:=== |FAIL|PASS|ok {2}\t|\s*--- |goroutine |\s*$|coverage: )/.test(text)) return
    const frame = /^\t?\S.*\.(?:go|s):\d+/.test(text) && text.startsWith('\t') ? FRAME.exec(text)?.[1] : undefined
    if (frame !== undefined) this.#tests.print(name, `at ${frame}`)
    else if (!/^(?:\t\/|\S+\(.*\)$|created by )/.test(text)) this.#tests.print(name, text)
  }
}

export const goTest: DigestTool = {
  name: 'go-test',
  type: 'test',
  command: /(?:^|[\s;&|/])go\s+test(?=\s|$)/,
  signs: ['--- FAIL: ', 'FAIL\t', '=== RUN', '"Action":"', 'ok  \t', '[no test files]'],
  scan: () => new GoTestScanner(),
}
