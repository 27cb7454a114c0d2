import { useState } from 'react'
import { useStore } from 'zustand'
import { EditorSection } from './editor-section.tsx'
import css from './settings-page.module.css'
import { keyStore, setKeysOff } from '../../ui/keys.ts'
import { setWebNotices, webNotices } from '../shell/web-notices.ts'
import { currentTheme, setTheme, type Theme } from '../../ui/theme.ts'
import { setUtc, useUtc } from '../../ui/time-zone.ts'

const themes: { theme: Theme; name: string }[] = [
  { theme: 'system', name: 'as the system' },
  { theme: 'light', name: 'light' },
  { theme: 'dark', name: 'dark' },
]

/** What is kept in this browser alone. It takes effect at once. */
export function BrowserSettings() {
  const [theme, setShown] = useState(currentTheme)
  const off = useStore(keyStore, (state) => state.off)
  const notices = useStore(webNotices)
  const utc = useUtc()
  return (
    <div className={css['sections']}>
      <p className={css['about']}>Kept in this browser, for everybody who uses it. Changes take effect at once.</p>
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
            Times of day in UTC, on every page and beside the lines of a log
          </label>
        </div>
      </section>
      <EditorSection />
      <section className={css['section']} aria-labelledby="notices">
        <h2 id="notices">Notices</h2>
        <div className={css['choices']}>
          <label>
            <input
              type="checkbox"
              checked={notices.on}
              onChange={(event) => void setWebNotices(event.target.checked)}
            />
            Notices of the system while nobody looks at this page
          </label>
          {notices.refused && (
            <p role="alert">
              The browser refuses them. Allow notifications for this address in its own settings, then try again.
            </p>
          )}
          <p className={css['muted']}>
            What fails, runs out of time or needs a person, reviews, pull requests, trouble with the tracker. The inbox
            (<kbd>g n</kbd>) has them all, with or without this. There is no sound.
          </p>
        </div>
      </section>
      <section className={css['section']} aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        <div className={css['choices']}>
          <label>
            <input type="checkbox" checked={!off} onChange={(event) => setKeysOff(!event.target.checked)} />
            <span>
              Shortcuts of a single key, such as <kbd>j</kbd> and <kbd>?</kbd>
            </span>
          </label>
          <p className={css['muted']}>
            They act only while nothing is being typed. Whoever speaks to the computer may want them off.
          </p>
        </div>
      </section>
    </div>
  )
}
