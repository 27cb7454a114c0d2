// `npm run image`: Beadloom's server as a Docker image (docker/server/Dockerfile).
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main, root, run, say, trustingEnv } from './run.mjs'

const TAG = 'beadloom'

await main(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h'))
    return say(
      `npm run image [-- OPTIONS]: makes the image "${TAG}" of this checkout. OPTIONS go to "docker build", for example "--build-arg BASE=registry.example/node:24" or "--tag NAME".`,
    )
  const context = mkdtempSync(join(tmpdir(), 'beadloom-image-'))
  try {
    await run(process.execPath, [join(root, 'scripts', 'pack.mjs'), context])
    const packed = readdirSync(context).find((name) => name.endsWith('.tgz'))
    renameSync(join(context, packed), join(context, 'beadloom.tgz'))
    cpSync(join(root, 'docker', 'server', 'Dockerfile'), join(context, 'Dockerfile'))
    cpSync(join(root, 'docker', 'add-ca.sh'), join(context, 'add-ca.sh'))
    // The authorities that this machine trusts besides the usual ones, such as a company's proxy.
    const bundle = trustingEnv().NODE_EXTRA_CA_CERTS
    writeFileSync(join(context, 'ca.pem'), bundle ? readFileSync(bundle) : '')
    const tag = args.some((arg) => /^(?:-t|--tag(?:=.*)?)$/.test(arg)) ? [] : ['--tag', TAG]
    await run('docker', ['build', ...tag, ...args, context], { why: 'docker build' })
    say(`The image is made. How to run it: docs/in-a-container.md`)
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
})
