import type { Verification } from '@beadloom/core/execution/verification.ts'

/** A failure that may be a service's begins with what became of that: whoever reads on would look for it in the work. */
export const withTroubles = <T extends Pick<Verification, 'passed' | 'summary' | 'digest'>>(
  row: T,
  troubles: readonly string[],
): T => {
  if (row.passed || troubles.length === 0) return row
  const [first = ''] = troubles[0]!.split('\n')
  return { ...row, summary: `${row.summary} (${first})`, digest: `${troubles.join('\n')}\n\n${row.digest}` }
}
