import type { Commands } from '../../http/ports.ts'
import { beadCommands, type BeadCommandDeps } from './bead-commands.ts'
import { executionCommands, type ExecutionCommandDeps } from './execution-commands.ts'
import { projectCommands, type ProjectCommandDeps } from './project-commands.ts'

export type CommandDeps = ProjectCommandDeps & BeadCommandDeps & ExecutionCommandDeps

/** People's commands, over the store, the projects and the running executions. */
export const createCommands = (deps: CommandDeps): Commands => ({
  ...projectCommands(deps),
  ...beadCommands(deps),
  ...executionCommands(deps),
})
