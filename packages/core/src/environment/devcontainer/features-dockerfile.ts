import { shellWord } from '../../text/shell-word.ts'
import type { DevcontainerPlan } from './devcontainer-plan.ts'
import { envLines } from './variables.ts'

type Feature = DevcontainerPlan['features'][number]

/**
 * A Dockerfile that lays a devcontainer's own features and variables over an image (`ARG BASE`). By the specification,
 * root runs `install.sh` of the feature's folder with its options as variables. The build's context is the repository.
 * Null: there is nothing to lay.
 */
export function featuresDockerfile({ features, env }: Pick<DevcontainerPlan, 'features' | 'env'>): string | null {
  if (features.length === 0 && Object.keys(env).length === 0) return null
  return ['ARG BASE\nFROM ${BASE}\nUSER root\n', ...features.map(featureLines), envLines(env)].join('')
}

/** The number of the user that will work there, if the image has that user already. */
const AGENT = 1000

function featureLines({ folder, variables, env }: Feature, at: number): string {
  const to = `/tmp/beadloom-features/${at}`
  const named = Object.entries(variables).map(([name, value]) => `${name}=${shellWord(value)}`)
  const script = [
    `_REMOTE_USER=$(sed -n 's/^\\([^:]*\\):[^:]*:${AGENT}:.*/\\1/p' /etc/passwd)`,
    '_REMOTE_USER=${_REMOTE_USER:-root}',
    '_CONTAINER_USER=$_REMOTE_USER',
    `_REMOTE_USER_HOME=$(sed -n "s/^$_REMOTE_USER:[^:]*:[^:]*:[^:]*:[^:]*:\\([^:]*\\):.*/\\1/p" /etc/passwd)`,
    '_CONTAINER_USER_HOME=$_REMOTE_USER_HOME',
    'export _REMOTE_USER _CONTAINER_USER _REMOTE_USER_HOME _CONTAINER_USER_HOME',
    ...named.map((one) => `export ${one}`),
    `cd ${to}`,
    'chmod +x install.sh',
    './install.sh',
    'cd /',
    'rm -rf /tmp/beadloom-features',
  ]
  return `${envLines(env)}COPY ${JSON.stringify([`${folder}/`, `${to}/`])}\nRUN ${JSON.stringify(['/bin/sh', '-ec', script.join('\n')])}\n`
}
