import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { effectiveLimits } from '@beadloom/core/limits/effective-limits.ts'
import { LimitReport } from '@beadloom/core/limits/limit-report.ts'
import { PROBE_PROGRAM } from './probe-program.ts'

test.skipIf(!existsSync('/proc/self/cgroup'))('the program reports what this machine has', () => {
  const printed = execFileSync(process.execPath, ['-e', `${PROBE_PROGRAM};console.log(report)`], { encoding: 'utf8' })
  const report = LimitReport.parse(JSON.parse(printed))
  expect(report.cgroup).not.toBe('')
  const { openFiles, ...rest } = effectiveLimits(report)
  expect(openFiles).toBeGreaterThan(0)
  expect(Object.values(rest).filter((limit) => Number.isNaN(limit))).toEqual([])
})
