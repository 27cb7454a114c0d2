// A Vitest reporter that writes a row for each test file as soon as it ends: a run of hours may be ended before other
// reporters write anything.
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './run.mjs'
import { circumstances, firstLine } from './tested.mjs'

export default class RecordingReporter {
  onTestModuleEnd(module) {
    const tests = [...module.children.allTests()]
    const count = (state) => tests.filter((test) => test.result().state === state).length
    const failed = count('failed')
    const failures = tests.filter((test) => test.result().state === 'failed').map(failureOf)
    const unloaded = module.state() === 'failed' && failed === 0
    this.#write({
      project: module.project.name,
      file: relative(root, module.moduleId),
      passed: count('passed'),
      failed: unloaded ? 1 : failed,
      skipped: count('skipped'),
      seconds: Math.round(module.diagnostic().duration) / 1000,
      failures: unloaded ? [{ test: 'the file itself', why: firstLine(module.errors()[0]?.message) }] : failures,
    })
  }

  /** An error outside of tests fails a run without failing a test. */
  onTestRunEnd(_, errors) {
    const failures = errors.slice(0, 5).map(({ message }) => ({ test: 'between the tests', why: firstLine(message) }))
    this.#write({ project: '', file: '', passed: 0, failed: errors.length, skipped: 0, seconds: 0, failures })
  }

  #write(row) {
    const { TESTED_ROWS: file, TESTED_SUITE: suite } = process.env
    appendFileSync(file, `${JSON.stringify({ suite, ...row, ...circumstances() })}\n`)
  }
}

const failureOf = (test) => ({ test: test.fullName, why: firstLine(test.result().errors?.[0]?.message) })
