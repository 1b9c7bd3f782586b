// Recebe's card fields on a shop's page: https://…/js/v1/recebe.js. The card is typed into a frame of Recebe, or of the
// provider inside it; this page only gets a token. Its form of use never changes under /js/v1.

(() => {
  const { origin } = new URL(document.currentScript.src);

  /** What a shop shows and logs: `code` is the API's, `issues` name the wrong fields. */
  class RecebeError extends Error {
    constructor({ code, message, issues = [] }) {
      super(message);
      this.name = 'RecebeError';
      this.code = code;
      this.issues = issues;
    }
  }

  const frameOf = (src, title) => {
    const frame = document.createElement('iframe');
    frame.src = src;
    frame.title = title;
    frame.style.border = '0';
    frame.style.width = '100%';
    return frame;
  };

  /** Calls `take` with what this frame, and no other, says. @returns how to stop. */
  function listen(frame, take) {
    const listener = ({ origin: from, source, data }) => {
      if (from === origin && source === frame.contentWindow && data?.recebe) take(data);
    };
    addEventListener('message', listener);
    return () => removeEventListener('message', listener);
  }

  function cardOf(publicKey, { amount }) {
    let frame = null;
    let ready = null;
    let stop = () => {};
    let asked = 0;
    const waiting = new Map();

    function take({ recebe, id, token, error, height }) {
      if (recebe === 'height') frame.style.height = `${height}px`;
      const answer = waiting.get(id);
      if (!answer) return;
      waiting.delete(id);
      if (recebe === 'token') answer.resolve(token);
      else answer.reject(new RecebeError(error));
    }

    return {
      /** Shows the fields in an element, or in the first one that a selector finds. Resolves once they are there. */
      mount(target) {
        const place = typeof target === 'string' ? document.querySelector(target) : target;
        if (!place) return Promise.reject(new TypeError(`recebe.js: nothing on this page is ${target}`));
        this.unmount();
        const query = new URLSearchParams({ key: publicKey, amount: String(amount) });
        frame = frameOf(`${origin}/js/v1/card?${query}`, 'Cartão');
        frame.style.height = '20rem';
        ready = new Promise((resolve, reject) => {
          stop = listen(frame, (message) => (message.recebe === 'ready' ? resolve() : take(message)));
          frame.addEventListener('load', () =>
            setTimeout(
              reject,
              10_000,
              new RecebeError({ code: 'NOT_LOADED', message: 'the card fields did not load' }),
            ),
          );
        });
        place.replaceChildren(frame);
        return ready;
      },
      /** @returns a promise of the token: valid for 60 seconds and one charge. Rejected with what the payer has to correct. */
      async tokenize() {
        if (!ready) throw new TypeError('recebe.js: mount the card first');
        await ready;
        asked += 1;
        const id = asked;
        return new Promise((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          frame.contentWindow.postMessage({ recebe: 'tokenize', id }, origin);
        });
      },
      unmount() {
        stop();
        frame?.remove();
        frame = null;
        ready = null;
      },
    };
  }

  /**
   * Shows the payer's bank in a window over this page (3-D Secure). Resolves when the payer is back or has closed it;
   * ask your server then whether the charge was paid.
   */
  function confirm(actionUrl) {
    if (!/^https?:$/.test(new URL(actionUrl).protocol))
      throw new TypeError('recebe.js: an actionUrl is a web address');
    const dialog = document.createElement('dialog');
    Object.assign(dialog.style, {
      width: 'min(32rem, 100%)',
      height: 'min(44rem, 100%)',
      padding: '0',
      border: '0',
    });
    const close = document.createElement('button');
    close.type = 'button';
    close.textContent = '×';
    close.setAttribute('aria-label', 'Fechar');
    Object.assign(close.style, {
      position: 'absolute',
      insetInlineEnd: '0.5rem',
      insetBlockStart: '0.5rem',
      width: '2.75rem',
      height: '2.75rem',
    });
    const frame = frameOf(actionUrl, 'Confirmação no banco');
    frame.style.height = '100%';
    dialog.append(frame, close);
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) => {
      const stop = listen(frame, ({ recebe }) => recebe === 'returned' && dialog.close());
      close.addEventListener('click', () => dialog.close());
      dialog.addEventListener('close', () => {
        stop();
        dialog.remove();
        resolve();
      });
    });
  }

  globalThis.Recebe = (publicKey) => {
    if (!/^pk_(dev|prod)_/.test(publicKey)) throw new TypeError('recebe.js: needs a public key (pk_…)');
    return {
      create(options) {
        if (!Number.isInteger(options?.amount) || options.amount < 100)
          throw new TypeError('recebe.js: amount must be at least 100 cents');
        return cardOf(publicKey, options);
      },
      confirm,
    };
  };
})();
