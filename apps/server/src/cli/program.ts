import type { Command } from 'commander'
import { addAllowCommand } from './executions/allow-command.ts'
import { addAgentsCommand } from './agents/agents-command.ts'
import { addAttachCommand } from './executions/attach-command.ts'
import { addAuditCommands } from './audit/audit-command.ts'
import { addBackupCommand } from './health/backup-command.ts'
import { addRestoreCommand } from './health/restore-command.ts'
import { addBenchCommands } from './bench/bench-command.ts'
import { addBeadCommands } from './beads/bead-commands.ts'
import { addContainersCommands } from './executions/containers-command.ts'
import { addCompletionCommand } from './completion/completion-command.ts'
import type { CommandContext } from './context.ts'
import { addDiffCommand } from './executions/diff-command.ts'
import { addDigestCommand } from './executions/digest-command.ts'
import { addDoctorCommand } from './health/doctor.ts'
import { addForgeCommands } from './forge/forge-command.ts'
import { addIdsCommand } from './completion/ids-command.ts'
import { addLogCommand } from './executions/log-command.ts'
import { addPlanCommand } from './plan/plan-command.ts'
import { addPrCommand } from './review/pr-command.ts'
import { programOf, type AddCommand } from './program-of.ts'
import { addBudgetCommand } from './projects/budget-command.ts'
import { addEnvironmentCommand } from './projects/environment-command.ts'
import { addChangeCommand } from './executions/change-command.ts'
import { addTellCommand } from './executions/tell-command.ts'
import { addPauseCommands } from './executions/pause-command.ts'
import { addProjectCommands } from './projects/project-commands.ts'
import { addSecretCommands } from './projects/secret-command.ts'
import { addSyncCommand } from './projects/sync-command.ts'
import { addReviewCommand } from './review/review-command.ts'
import { addRunCommands } from './executions/run-command.ts'
import { addStartCommand } from './server/start.ts'
import { addServiceCommands } from './service/service-command.ts'
import { addStatusCommand } from './server/status-command.ts'
import { addSignInCommands } from './server/sign-ins-command.ts'
import { addWebhookCommand } from './webhooks/webhook-command.ts'
import { addWatchCommand } from './board/watch-command.ts'

/** In the order in which `beadloom --help` lists them. */
const commands: AddCommand[] = [
  addStartCommand,
  addDoctorCommand,
  addStatusCommand,
  addWatchCommand,
  addProjectCommands,
  addEnvironmentCommand,
  addSecretCommands,
  addSyncCommand,
  addBudgetCommand,
  addBeadCommands,
  addPlanCommand,
  addRunCommands,
  addTellCommand,
  addChangeCommand,
  addPauseCommands,
  addAllowCommand,
  addAgentsCommand,
  addContainersCommands,
  addAttachCommand,
  addLogCommand,
  addDiffCommand,
  addReviewCommand,
  addPrCommand,
  addForgeCommands,
  addWebhookCommand,
  addSignInCommands,
  addAuditCommands,
  addDigestCommand,
  addBenchCommands,
  addBackupCommand,
  addRestoreCommand,
  addServiceCommands,
  addIdsCommand,
  addCompletionCommand,
]

/** The whole command line. */
export const createProgram = (context: CommandContext): Command => programOf(context, commands)
