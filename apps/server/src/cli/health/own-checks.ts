import type { Check } from '@beadloom/core/api/api.ts'
import type { Environment, ServerSettings } from '../../process/settings.ts'
import { checkBackups } from './backup-check.ts'
import { checkBuilt, checkData, checkGit, checkModel, checkNode } from './health-checks.ts'

/** What `beadloom doctor` looks at and a running server can ask of itself: not the engine, which it watches anyway. */
export const ownChecks = (settings: ServerSettings, env: Environment): Promise<Check[]> =>
  Promise.all([
    checkNode(),
    checkBuilt(),
    checkGit(env),
    checkData(settings.data),
    checkBackups(settings),
    checkModel(settings),
  ])
