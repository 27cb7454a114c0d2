import { aptInstall, has, say, Stop } from './run.mjs'

/** The browser tests use the distribution's Chromium; as root on Debian, this installs it. */
export async function ensureChromium() {
  if ((await has('chromium')) || (await has('google-chrome'))) return
  if (process.getuid?.() === 0 && (await has('apt-get'))) {
    say('Installing Chromium for the browser tests …')
    await aptInstall(['chromium', 'fonts-dejavu-core'], 'installing chromium')
  }
  if (await has('chromium')) return
  if (process.env.REQUIRE_ALL === '1')
    throw new Stop('There is no Chromium for the browser tests. Run: sudo apt-get install -y chromium')
  say('No Chromium here: the browser tests will be skipped. To run them: sudo apt-get install -y chromium')
}
