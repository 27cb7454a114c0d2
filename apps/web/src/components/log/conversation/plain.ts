import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import { shown } from '../../../ui/text/hostile-text.ts'

/** Text of an agent as it may be shown: without what only a terminal understands, and with hidden marks by their names. */
export const plain = (text: string): string => shown(stripAnsi(text))
