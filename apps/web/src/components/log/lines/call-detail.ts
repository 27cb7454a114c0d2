import type { LogSection } from '@beadloom/core/api/api.ts'
import { callDetail as detailOf } from '@beadloom/core/log/call-detail.ts'

const LENGTH = 80

/** What tells one call of a tool from the next: its command, or its file. Empty when nothing does. */
export const callDetail = ({ kind, command }: Pick<LogSection, 'kind' | 'command'>): string =>
  kind !== 'call' || command === null ? '' : detailOf(command).slice(0, LENGTH)
