// Where a person reads more about each setting: links of docs/configuration/reference.md.
import { Stop } from './run.mjs'

/**
 * By page, the keys that it explains. `services.` stands for `services` and all keys below it; below the other groups
 * each key is named, so that a new one is missed. `maxCost*` stands for all keys that begin so. The row of a key at `''` says all there is to say.
 */
const explains = {
  'beadloom.json': {
    '': '$schema name techStack model baseBranch workBranch beads beads.*.agent beads.*.command beads.*.planning.',
    'environment.md#images-and-setup': 'image dockerfile setup',
    'environment.md#devcontainers': 'devcontainer',
    'environment.md#toolchains': 'toolchains',
    'environment.md#variables-and-secrets': 'env secrets',
    'environment.md#services': 'services.',
    'environment.md#network': 'network.',
    'environment.md#secrets-in-the-work': 'verification.secrets',
    'server.md#several-engines': 'engine',
    'first-project.md#what-is-detected': 'test',
    'first-project.md#who-commits': 'commits author committer',
    'checks.md#how-work-is-verified':
      'verify verify.*.type verify.*.name verify.*.command verify.*.timeoutSeconds verification verification.maxAttempts',
    'checks.md#checks-of-a-part': 'verify.*.paths verify.*.folder',
    'checks.md#a-judge': 'verify.*.prompt verify.*.required verify.*.model',
    'checks.md#retries': 'retry.',
    'checks.md#new-tests-without-the-change': 'verification.redGreen',
    'checks.md#the-base-is-proved-first': 'verification.proveBase',
    'checks.md#what-a-check-is-worth': 'verification.acceptUnchecked',
    'checks.md#changed-tests-as-they-were': 'verification.originalTests',
    'checks.md#what-runs-elsewhere': 'verification.elsewhere',
    'limits.md#autopilot': 'autopilot',
    'limits.md#containers-that-wait': 'warm',
    'limits.md#time-cpu-and-memory':
      'limits limits.cpus limits.memoryMb limits.processes limits.executionTimeoutSeconds limits.inactivityTimeoutSeconds limits.setupTimeoutSeconds limits.testTimeoutSeconds',
    'limits.md#tokens-and-money': 'limits.maxTokens* limits.maxCost* limits.maxSessions limits.warnAtPercent',
    'limits.md#at-a-limit': 'limits.answerTimeoutSeconds onLimit',
    '../steering.md#when-it-asks': 'onBlocked',
    '../steering.md#pause-and-resume': 'limits.pauseSeconds',
    '../agents/README.md': 'agent agentVersion agentArguments',
    '../agents/README.md#the-scripted-model': 'scenario',
    '../agents/built-in.md': 'limits.maxSteps',
    '../agents/built-in.md#fresh-starts': 'freshStarts.',
    '../agents/command.md': 'command',
    '../fairness.md': 'slots.',
    '../plans.md#where-a-plan-comes-from':
      'planning planning.when planning.approve planning.agent planning.command planning.model planning.maxParallelSubtasks',
    '../plans.md#between-two-phases': 'planning.checkpoint',
    '../review.md': 'review.',
    '../tracker.md': 'tracker.',
    '../tracker.md#what-does-not-count-as-work': 'beads.ignore',
  },
  flag: {
    '': 'model port demo logLevel',
    'server.md#address-and-proxies': 'host caBundle',
    'limits.md#containers-that-wait': 'warm',
    '../agents/README.md#the-scripted-model': 'scenarios',
    '../operation.md#backups': 'backups',
    '../fairness.md': 'slots',
    '../security/containers.md#which-limits-act': 'allowUnlimited',
  },
  'config.json': {
    'limits.md#tokens-and-money': 'maxTokens* maxCost*',
    'limits.md#models-and-prices': 'upstreams. prices. windows currency',
    'limits.md#tools-of-the-models-endpoint': 'hostedTools.',
    'server.md#several-engines': 'engines engines.*.docker engines.*.slots engine',
    'server.md#runtimes': 'engines.*.runtime runtime',
    'server.md#webhooks': 'webhooks.',
    'server.md#images': 'images',
    'server.md#signed-commits': 'signing.',
    '../kubernetes.md': 'engines.*.kubernetes.',
    '../people.md': 'people.',
    '../tracker.md': 'trustedTrackers',
  },
}

/** The link for a key of a table, or null; a key without a page, and a page without its key, are errors. */
export function linksOf(of) {
  const named = Object.entries(explains[of]).flatMap(([page, keys]) => keys.split(' ').map((key) => [key, page]))
  const left = new Set(named.map(([key]) => key))
  const covers = (one, key) =>
    one === key ||
    (one.endsWith('.') && `${key}.`.startsWith(one)) ||
    (one.endsWith('*') && key.startsWith(one.slice(0, -1)))
  const link = (key) => {
    const found = named.find(([one]) => covers(one, key))
    if (!found) throw new Stop(`scripts/reference-pages.mjs does not say where "${key}" of ${of} is explained: add it.`)
    left.delete(found[0])
    return found[1] || null
  }
  const end = () => {
    if (left.size > 0)
      throw new Stop(`scripts/reference-pages.mjs names keys that do not exist: ${[...left].join(', ')}`)
  }
  return { link, end }
}
