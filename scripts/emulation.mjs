import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aptInstall, has, run, say, Stop } from './run.mjs'

/** The kernel's registry of programs that run other processors' programs. */
const BINFMT = '/proc/sys/fs/binfmt_misc'
/**
 * By Node's name of a processor: the kernel's name, and the file of QEMU's Debian package that describes its programs.
 */
const machines = {
  arm64: { qemu: 'qemu-aarch64', number: 'b700' },
  x64: { qemu: 'qemu-x86_64', number: '3e00' },
}

/**
 * Makes programs for both arm64 and x64 run on this machine: one natively, the other by QEMU. As root on Debian,
 * installs and registers missing parts, for the whole machine until its next start; else says what to do.
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
  if (isRegistered(number)) return // by the package, if the system's services run
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

/** Flag F: the interpreter is opened at registration, so it works in containers, too. */
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
