import { useState } from 'react'
import { useStore } from 'zustand'
import { EditorSection } from './editor-section.tsx'
import css from './settings-page.module.css'
import { keyStore, setKeysOff } from '../../ui/keys/keys.ts'
import { noticeKinds, type NoticeKind } from '../../components/inbox/notices.ts'
import { setWebNoticeKind, setWebNotices, webNotices } from '../shell/web-notices.ts'
import { currentTheme, setTheme, type Theme } from '../../ui/theme.ts'
import { setUtc, useUtc } from '../../ui/text/time-zone.ts'

const themes: { theme: Theme; name: string }[] = [
  { theme: 'system', name: 'same as the system' },
  { theme: 'light', name: 'light' },
  { theme: 'dark', name: 'dark' },
]

const kindWords: Record<NoticeKind, string> = {
  needs_you: 'A bead needs you',
  failed: 'Failed or timed out',
  budget: 'Waiting at a limit of tokens or money',
  merged: 'Work was merged',
  other: 'Reviews and pull requests',
}

/** Settings stored in this browser alone. They take effect at once. */
export function BrowserSettings() {
  const [theme, setShown] = useState(currentTheme)
  const off = useStore(keyStore, (state) => state.off)
  const notices = useStore(webNotices)
  const utc = useUtc()
  return (
    <div className={css['sections']}>
      <p className={css['about']}>Stored in this browser, for every project. Changes take effect at once.</p>
      <section className={css['section']} aria-labelledby="display">
        <h2 id="display">Display</h2>
        <fieldset className={css['choices']}>
          <legend>Theme</legend>
          {themes.map((one) => (
            <label key={one.theme}>
              <input
                type="radio"
                name="theme"
                checked={theme === one.theme}
                onChange={() => {
                  setTheme(one.theme)
                  setShown(one.theme)
                }}
              />
              {one.name}
            </label>
          ))}
        </fieldset>
        <div className={css['choices']}>
          <label>
            <input type="checkbox" checked={utc} onChange={(event) => setUtc(event.target.checked)} />
            Show times in UTC, on every page and in logs
          </label>
        </div>
      </section>
      <EditorSection />
      <section className={css['section']} aria-labelledby="notices">
        <h2 id="notices">Notifications</h2>
        <div className={css['choices']}>
          <label>
            <input
              type="checkbox"
              checked={notices.on}
              onChange={(event) => void setWebNotices(event.target.checked)}
            />
            Desktop notifications when hidden
          </label>
          {notices.on &&
            noticeKinds.map((kind) => (
              <label key={kind} className={css['below']}>
                <input
                  type="checkbox"
                  checked={notices.kinds.includes(kind)}
                  onChange={(event) => setWebNoticeKind(kind, event.target.checked)}
                />
                {kindWords[kind]}
              </label>
            ))}
          {notices.refused && (
            <p role="alert">
              The browser blocks notifications. Allow them for this address in the browser’s settings, then try again.
            </p>
          )}
          <p className={css['muted']}>
            The inbox (<kbd>g n</kbd>) has everything but merged work. There is no sound. Webhooks tell you while no
            browser is open.
          </p>
        </div>
      </section>
      <section className={css['section']} aria-labelledby="keys">
        <h2 id="keys">Keyboard</h2>
        <div className={css['choices']}>
          <label>
            <input type="checkbox" checked={!off} onChange={(event) => setKeysOff(!event.target.checked)} />
            <span>
              Single-key shortcuts, such as <kbd>j</kbd> and <kbd>?</kbd>
            </span>
          </label>
          <p className={css['muted']}>They do nothing while you type. Turn off for voice control.</p>
        </div>
      </section>
    </div>
  )
}
