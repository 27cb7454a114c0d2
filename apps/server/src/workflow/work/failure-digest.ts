import { capDigest } from '@beadloom/core/digest/cap.ts'
import { failedAttempts, failuresOf } from '@beadloom/core/execution/next-step.ts'
import { namedDigest, type Verification } from '@beadloom/core/execution/verification.ts'

/** What failed in the attempts so far, the newest first: the oldest errors must not crowd out the ones that count. */
export function digestOfFailures(verifications: readonly Verification[]): string {
  const attempts = failedAttempts(verifications)
  const [newest, ...older] = attempts.map((attempt) => blockOf(verifications, attempt))
  if (newest === undefined) return ''
  const before = older.map((block, at) => `Attempt ${attempts[at + 1]} had failed with:\n${block}`)
  return capDigest([newest, ...before].join('\n\n'))
}

function blockOf(verifications: readonly Verification[], attempt: number): string {
  return failuresOf(verifications, attempt)
    .map((row) => {
      const { verdict, purpose } = row
      const where = purpose === 'merge' ? 'Together with what the work branch got meanwhile:\n' : ''
      const same =
        verdict === 'same' ? '\n(the same failures as in the attempt before: another approach is needed)' : ''
      return `${where}${namedDigest(row)}${same}`
    })
    .join('\n\n')
}
