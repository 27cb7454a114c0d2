import type { Command } from 'commander'
import type { CommandContext } from './context.ts'
import { programOf } from './program-of.ts'
import { addStartCommand } from './server/start.ts'

/** The command line of a server, which is only `start`: other commands would stay in its memory all its life. */
export const createProgram = (context: CommandContext): Command => programOf(context, [addStartCommand])
