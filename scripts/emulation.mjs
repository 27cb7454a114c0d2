import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aptInstall, has, run, say, Stop } from './run.mjs'

/** Where the kernel is told which program runs the programs of other processors. */
const BINFMT = '/proc/sys/fs/binfmt_misc'
/** Node's names of processors: how the kernel calls them, and where QEMU's Debian package says how they are known. */
const machines = {
  arm64: { qemu: 'qemu-aarch64', number: 'b700' },
  x64: { qemu: 'qemu-x86_64', number: '3e00' },
}

/**
 * Programs for arm64 run on this machine, and those for x64: one of them by itself, the other by QEMU. What is missing is
 * installed and registered as root on Debian, for the whole machine and until it starts again; else this says what to do.
 */
export async function ensureEmulation() {
  const [name] = Object.keys(machines).filter((one) => one !== process.arch)
  const { qemu, number } = machines[name]
  if (isRegistered(number)) return
  const byHand = `Programs for ${name} do not run on this machine. As root: apt-get install qemu-user-static, or where Docker reaches a registry: docker run --privileged --rm tonistiigi/binfmt --install ${name === 'x64' ? 'amd64' : name}`
  if (process.getuid?.() !== 0 || !(await has('apt-get'))) throw new Stop(byHand)
  if (!existsSync(`/usr/bin/${qemu}-static`)) {
    say(`Installing QEMU, which runs programs for ${name} …`)
    await aptInstall(['qemu-user-static'], 'installing qemu-user-static')
  }
  if (isRegistered(number)) return // by the package, where the system's services run
  say(`Telling the kernel to run programs for ${name} by QEMU (${BINFMT}) …`)
  try {
    if (!existsSync(join(BINFMT, 'register')))
      await run('mount', ['-t', 'binfmt_misc', 'none', BINFMT], { quiet: true, why: `mounting ${BINFMT}` })
    writeFileSync(join(BINFMT, 'register'), readFileSync(`/usr/lib/binfmt.d/${qemu}.conf`))
  } catch (error) {
    throw new Stop(`${byHand}\n${error.message}`)
  }
  if (!isRegistered(number)) throw new Stop(byHand)
}

/** Flag F: the interpreter is open already, so that it is there in containers, too. */
function isRegistered(number) {
  if (!existsSync(BINFMT)) return false
  return readdirSync(BINFMT)
    .filter((name) => name !== 'register' && name !== 'status')
    .map((name) => readFileSync(join(BINFMT, name), 'utf8'))
    .some(
      (text) =>
        text.startsWith('enabled') &&
        /^flags: .*F/m.test(text) &&
        new RegExp(`^magic 7f454c46.*${number}`, 'm').test(text),
    )
}
