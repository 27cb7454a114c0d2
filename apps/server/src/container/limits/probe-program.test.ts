import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { release } from 'node:os'
import { expect, test } from 'vitest'
import { runtimeSeen } from '@beadloom/core/isolation/runtime-seen.ts'
import { effectiveLimits } from '@beadloom/core/container-limits/effective-limits.ts'
import { LimitReport } from '@beadloom/core/container-limits/limit-report.ts'
import { PROBE_PROGRAM } from './probe-program.ts'

test.skipIf(!existsSync('/proc/self/cgroup'))('the program reports the limits of this machine', () => {
  const printed = execFileSync(process.execPath, ['-e', `${PROBE_PROGRAM};console.log(report)`], { encoding: 'utf8' })
  const report = LimitReport.parse(JSON.parse(printed))
  expect(report.cgroup).not.toBe('')
  expect(runtimeSeen(report.kernel ?? never(), release())).toMatchObject({ isOwnKernel: false, isGvisor: false })
  const { openFiles, ...rest } = effectiveLimits(report)
  expect(openFiles).toBeGreaterThan(0)
  expect(Object.values(rest).filter((limit) => Number.isNaN(limit))).toEqual([])
})

const never = (): never => {
  throw new Error('it says nothing of the kernel')
}
