// Shared by the pages of the report and the site. Texts from documents are only ever inserted as text.
function element(name, className, text) {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.textContent = text;
  return made;
}

/** Copies the code in front of the button. */
async function copy(button) {
  const block = button.previousElementSibling;
  const label = button.dataset.label ?? button.textContent;
  button.dataset.label = label;
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(block.textContent);
  } catch {
    // Without the clipboard permission, select the text: a selection can always be copied.
    const range = document.createRange();
    range.selectNodeContents(block);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    isCopied = document.execCommand('copy');
  }
  button.textContent = isCopied ? 'Copied' : 'Selected: copy it';
  const restore = () => {
    button.textContent = label;
  };
  button.addEventListener('blur', restore, { once: true });
}

// Shows sections one at a time. Without a script, they follow each other.
function makeTabs(place, number) {
  const panels = [...place.children];
  const bar = element('div', '', '');
  bar.setAttribute('role', 'tablist');
  const tabs = panels.map((panel, index) => {
    const heading = panel.querySelector('h3');
    const tab = element('button', '', heading.textContent);
    Object.assign(tab, { type: 'button', id: `tab-${number}-${index}` });
    tab.setAttribute('role', 'tab');
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    return tab;
  });
  const choose = (chosen) => {
    tabs.forEach((tab, index) => {
      tab.setAttribute('aria-selected', String(index === chosen));
      tab.tabIndex = index === chosen ? 0 : -1;
      panels[index].hidden = index !== chosen;
    });
  };
  for (const [index, tab] of tabs.entries()) tab.addEventListener('click', () => choose(index));
  bar.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const next = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
    choose(next);
    tabs[next].focus();
  });
  bar.append(...tabs);
  place.prepend(bar);
  choose(0);
}

document.querySelectorAll('.tabs').forEach(makeTabs);
for (const button of document.querySelectorAll('.copy')) {
  button.hidden = false;
  button.addEventListener('click', () => void copy(button));
}
