import type { Check } from '@beadloom/core/api/server/server-api.ts'
import type { Environment, ServerSettings } from '../process/settings/settings.ts'
import { checkBackups } from './backup-check.ts'
import { checkFiles } from './files-check.ts'
import { checkBuilt, checkData, checkGit, checkModel, checkNode } from './health-checks.ts'

/** The checks of `beadloom doctor` that a running server makes of itself; it watches the engine anyway. */
export const ownChecks = (settings: ServerSettings, env: Environment): Promise<Check[]> =>
  Promise.all([
    checkNode(),
    checkBuilt(),
    checkGit(env),
    checkData(settings.data),
    checkFiles(settings.slots),
    checkBackups(settings),
    checkModel(settings),
  ])
