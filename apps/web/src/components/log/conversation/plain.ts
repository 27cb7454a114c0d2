import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import { shown } from '../../../ui/text/hostile-text.ts'

/** An agent's text, safe to show: without control sequences for terminals, and with hidden marks by name. */
export const plain = (text: string): string => shown(stripAnsi(text))
