// Follows what takes a while, and says so. Everything works without it.
"use strict";
(() => {
  const follow = (box) => {
    const text = box.querySelector("[data-live-text]");
    const bar = box.querySelector("[data-live-bar]");
    let stream = null;
    const open = () => {
      if (stream) return;
      stream = new EventSource(box.dataset.live);
      stream.onmessage = (event) => {
        const step = JSON.parse(event.data);
        text.textContent = step.text;
        bar.value = step.permille;
        if (step.isDone) {
          close();
          location.reload();
        }
      };
    };
    const close = () => {
      if (stream) stream.close();
      stream = null;
    };
    // A browser has few connections for one host: a page that nobody looks at keeps none.
    document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
    addEventListener("pagehide", close);
    open();
  };
  document.querySelectorAll("[data-live]").forEach(follow);

  // What is away comes back: look again as long as somebody does.
  const again = document.querySelector("[data-again]");
  if (again) {
    again.querySelector("[data-again-about]").hidden = false;
    setInterval(() => document.hidden || location.reload(), 5000);
  }

  // A button that was pushed is not pushed again while the answer is on its way.
  document.addEventListener("submit", (event) => {
    const button = event.target.querySelector("button[type=submit]");
    if (button && event.target.method === "post") {
      setTimeout(() => button.setAttribute("aria-disabled", "true"), 0);
      if (button.dataset.sent) event.preventDefault();
      button.dataset.sent = "true";
    }
  });
  addEventListener("pageshow", () => {
    document.querySelectorAll("button[data-sent]").forEach((button) => {
      delete button.dataset.sent;
      button.removeAttribute("aria-disabled");
    });
  });

  // What somebody does within a frame is told on, and what it changes is shown anew.
  document.querySelectorAll("iframe[data-feeds]").forEach((frame) => {
    let isFirst = true;
    frame.addEventListener("load", async () => {
      const section = document.getElementById(frame.dataset.feeds);
      const form = section && section.querySelector("form");
      if (isFirst || !form) {
        isFirst = false;
        return;
      }
      const body = new URLSearchParams(new FormData(form));
      const answer = await fetch(form.getAttribute("action"), { method: "POST", body });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById(section.id);
      if (!answer.ok || !fresh) return;
      section.replaceWith(document.importNode(fresh, true));
      document.querySelectorAll("iframe:not([data-feeds])").forEach((other) => {
        other.src = other.getAttribute("src");
      });
    });
  });

  // Where something is wrong, that is what one reads first.
  const wrong = document.querySelector(".notice.bad[id]");
  if (wrong) wrong.focus();
})();
