import { join, resolve } from 'node:path'
import { counted } from '@beadloom/core/text/count-text.ts'
import { fileStamp } from '@beadloom/core/text/file-stamp.ts'
import type { Command } from 'commander'
import { StoreError } from '../../ports/store/errors.ts'
import { systemClock } from '../../process/clock.ts'
import type { CommandContext } from '../context.ts'
import { CliError, localExits } from '../exit-code.ts'
import { print } from '../terminal/output.ts'
import { plainText } from '../terminal/terminal-text.ts'

export function addRestoreCommand(program: Command, context: CommandContext): void {
  context
    .command(program, {
      usage: 'restore [file]',
      description: 'go back to a backup of the database',
      more: `Stop the server first. The copy is verified before anything is touched, and stays where it is; the database that was there is moved into a folder before-restore-DATE beside it.
The next start knows everything up to the backup. Later work of executions is in the hub, on their branches: run those beads again, and they continue from there.`,
      arguments: { file: 'which copy (default: the newest in the data folder)' },
      examples: ['beadloom restore', 'beadloom restore /mnt/backup/beadloom-monday.db'],
      exits: localExits,
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const { restoreDatabase } = await import('../../store/database/restore.ts')
        const from = args[0] === undefined ? null : resolve(context.cwd, String(args[0]))
        try {
          const done = restoreDatabase(join(api.data, 'beadloom.db'), from, fileStamp(systemClock.now()))
          print(context.terminal, json, done, () => {
            const { projects, beads, executions } = done
            const counts = [counted(projects, 'project'), counted(beads, 'bead'), counted(executions, 'execution')]
            const aside = done.aside === null ? '' : `\n  what was there before: ${plainText(done.aside)}`
            return `✓ ${plainText(done.file)} is now ${plainText(done.from)}: ${counts.join(', ')}${aside}`
          })
        } catch (error) {
          if (error instanceof StoreError) throw new CliError(error.message)
          const { code, message } = error as NodeJS.ErrnoException
          if (typeof code === 'string') throw new CliError(`the backup cannot be restored: ${message}`)
          throw error
        }
      }),
    )
}
