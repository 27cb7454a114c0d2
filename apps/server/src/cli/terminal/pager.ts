import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Terminal } from './output.ts'

/**
 * The terminal, or the user's pager: only if standard output is a terminal and `PAGER` is set, never a pager that
 * nobody chose. `end` waits until the user has left it.
 */
export function pagedOutput(
  terminal: Terminal,
  env: Record<string, string | undefined>,
): { write: (text: string) => Promise<boolean>; end: () => Promise<void> } {
  const pager = env['PAGER']?.trim()
  if (!terminal.watched || !pager || pager === 'cat') {
    return {
      async write(text) {
        if (!terminal.write(text)) await terminal.drained()
        return true
      },
      end: async () => {},
    }
  }
  // The user's own setting, run as every program runs it; it gets cleaned text. Unless LESS is set, less shows colours
  // and quits at once if everything fits on the screen.
  const child = spawn('sh', ['-c', pager], { stdio: ['pipe', 'inherit', 'inherit'], env: { LESS: 'FRX', ...env } })
  let over = false
  const closed = new Promise<void>((resolve) => {
    const done = (): void => {
      over = true
      resolve()
    }
    child.once('close', done).once('error', done)
    child.stdin.once('error', () => (over = true)) // the user left it early
  })
  const ignored = (): void => {} // Ctrl-C belongs to the pager
  process.on('SIGINT', ignored)
  return {
    async write(text) {
      if (!over && !child.stdin.write(text)) await Promise.race([once(child.stdin, 'drain').catch(() => {}), closed])
      return !over
    },
    async end() {
      child.stdin.end()
      await closed
      process.off('SIGINT', ignored)
    },
  }
}
