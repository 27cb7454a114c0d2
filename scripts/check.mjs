// `npm run check`: format, lint and types of everything, each named when it fails. Prints every problem in full.
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { main, root, run, say, Stop } from './run.mjs'

const bin = (name) => join(root, 'node_modules', '.bin', name)
const packages = ['packages/core', 'packages/agent', 'apps/server', 'apps/web']

const checks = [
  { name: 'format', command: bin('oxfmt'), args: ['--check', '.'], fix: 'oxfmt changes files with: npm run format' },
  { name: 'comments', command: process.execPath, args: [join(root, 'scripts/comments.mjs')], fix: 'see above' },
  { name: 'lint', command: bin('oxlint'), args: ['.'], fix: 'the lines above say what is wrong' },
  ...packages.map((folder) => ({
    name: `types of ${folder}`,
    command: bin('tsc'),
    args: ['-p', folder],
    fix: 'see above',
  })),
  { name: 'types of the tests', command: bin('tsc'), args: ['-p', '.'], fix: 'see above' },
]

await main(async () => {
  if (!existsSync(bin('tsc'))) throw new Stop('The tools are not installed yet: run npm test, or npx pnpm@12 install.')
  const failed = []
  // Runs all of them, one after the other: a person who fixes a type wants to know about the formatting too.
  for (const { name, command, args, fix } of checks) {
    const why = `${name} (${basename(command)} ${args.join(' ')})`
    await run(command, args, { quiet: true, why }).then(
      () => say(`ok    ${name}`),
      (error) => {
        if (!(error instanceof Stop)) throw error
        say(`FAIL  ${name}`)
        failed.push(`${error.message}: ${fix}`)
      },
    )
  }
  if (failed.length > 0) throw new Stop(failed.join('\n'))
})
