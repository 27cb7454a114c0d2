import type { Aside } from '../ports/aside.ts'
import type { Clock } from '../process/clock.ts'
import { workerFile } from '../process/own-files.ts'
import { AsideThreads } from './aside-threads.ts'
import { environmentAside } from './environment-aside.ts'
import { issuesAside } from './issues-aside.ts'
import { asideBounds, type AsideBounds } from './bounds.ts'
import { maskedAside, secretsAside } from './secrets-aside.ts'
import { testsAside } from './tests-aside.ts'
import { verdictAside } from './verdict-aside.ts'
import { withTexts } from './with-texts.ts'
import { OutputAside } from './output-aside.ts'

export type AsideOptions = { clock: Clock; bounds?: AsideBounds; file?: URL }

/** The threads that read strangers' text. The first one starts when there is text to read. */
export function createAside({
  clock,
  bounds = asideBounds,
  file = workerFile('aside/aside-worker.ts'),
}: AsideOptions): Aside & { close: () => Promise<void> } {
  const threads = new AsideThreads(file, clock, bounds)
  return {
    digest: (options) => new OutputAside(threads, options, bounds),
    environment: (files) => environmentAside(threads, files),
    tests: (change) => testsAside(threads, change),
    verdict: (reading, ...given) => verdictAside(threads, reading, given),
    issues: issuesAside(threads),
    secrets: (patches, texts = []) => secretsAside(threads, patches, texts),
    masked: (value) => withTexts(value, (texts) => maskedAside(threads, texts)),
    close: () => threads.close(),
  }
}
