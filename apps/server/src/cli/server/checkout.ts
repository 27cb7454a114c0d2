import { join } from 'node:path'
import { root } from '../../process/own-files.ts'

/** The scripted model's scenarios that come with Beadloom: the demo's. */
export const defaultScenarios = join(root, 'test', 'scenarios')

/** Files that `npm start` builds; the server needs each of them. */
export const builtFiles = [
  join(root, 'packages', 'agent', 'dist', 'agent', 'agent.mjs'),
  join(root, 'apps', 'web', 'dist', 'index.html'),
]
