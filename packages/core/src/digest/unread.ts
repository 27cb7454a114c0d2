import { stripAnsi } from '../text/ansi.ts'
import { capDigest } from './cap.ts'
import type { Digest, DigestOptions } from './digest-reader.ts'
import { fingerprintOf } from './fingerprint.ts'

/** Taken from the end of an output, in characters. */
const SHOWN = 1500

const SUMMARY = 'its output takes too much work to read'

/** For an output that would take too much work, intended or not: its end unchanged, and a note that it was not read. */
export function unreadDigest(tail: string, { type = 'custom' }: DigestOptions, exitCode: number | null): Digest {
  const end = stripAnsi(tail.toWellFormed()).trim().slice(-SHOWN).toWellFormed()
  return {
    tool: 'generic',
    type,
    passed: exitCode === null ? null : exitCode === 0,
    failures: null,
    summary: SUMMARY,
    digest: capDigest(
      `[${type.toUpperCase()}] ${SUMMARY}, so nothing is known of what failed. Print less: one line for each test is enough. It ends with:\n\n${end}`,
    ),
    fingerprint: fingerprintOf([SUMMARY]),
    findings: [],
    collected: null,
    tests: [],
    unread: true,
  }
}
