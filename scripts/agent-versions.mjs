// `node scripts/agent-versions.mjs` asks the npm registry how old the tested versions of Codex, Claude Code, opencode
// and pi are (packages/core/src/agents). `--check` ends with 1 if one is more than three months behind. If a registry
// does not answer, it says so and fails nothing.
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { ageOf } from './agent-age.mjs'
import { main, node24, root, say, Stop } from './run.mjs'

/** npm itself would try for minutes. */
const PATIENCE = ['--fetch-timeout=20000', '--fetch-retries=1']
const LARGEST_ANSWER_BYTES = 64 * 1024 ** 2

async function ageOnRegistry({ package: pack, version }) {
  // If only one field existed, npm would print its value alone; `name` always exists.
  const asked = ['view', pack, 'name', 'time', 'deprecated', '--json', ...PATIENCE]
  try {
    const { stdout } = await promisify(execFile)('npm', asked, { cwd: root, maxBuffer: LARGEST_ANSWER_BYTES })
    return ageOf(version, JSON.parse(stdout), Date.now())
  } catch {
    return { late: false, text: `the npm registry did not answer; what it says: npm view ${pack} time` }
  }
}

await main(async () => {
  // The presets are TypeScript, which Node runs directly from version 24 on.
  if (Number(process.versions.node.split('.')[0]) < 24) {
    if (!existsSync(node24)) throw new Stop('Beadloom is not set up yet: run npm test -- check once.')
    process.exitCode = spawnSync(node24, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1
    return
  }
  const { presets } = await import(pathToFileURL(join(root, 'packages/core/src/agents/presets.ts')).href)
  const ages = await Promise.all(
    Object.entries(presets).map(async ([name, preset]) => ({ name, preset, ...(await ageOnRegistry(preset)) })),
  )
  for (const { name, preset, text } of ages) say(`${name} ${preset.version}: ${text}`)
  const late = ages.filter((age) => age.late).map(({ name }) => name)
  if (late.length === 0) return
  const first = late[0]
  const todo = `Try a newer one: its version in packages/core/src/agents/${first}.ts, npm run test:agents -- ${first}, then docs/agents/${first}.md.`
  if (process.argv.includes('--check')) throw new Stop(`Too old: ${late.join(', ')}. ${todo}`)
  say(todo)
})
