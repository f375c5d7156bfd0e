;;; A session of Emacs' eglot: `emacs -Q --batch -l eglot.el`, in the folder of a project of birds.
;;; APUS_SERVER is the program. Each step is printed; the first that fails ends it with an exit code.

;; Where Debian puts packages; from Emacs 29 on eglot comes along.
(let ((default-directory "/usr/share/emacs/site-lisp/elpa/"))
  (when (file-directory-p default-directory) (normal-top-level-add-subdirs-to-load-path)))
(require 'eglot)
(require 'cl-lib)

(define-derived-mode graphql-mode prog-mode "GraphQL")
(add-to-list 'auto-mode-alist '("\\.graphql\\'" . graphql-mode))
(add-to-list 'eglot-server-programs (list 'graphql-mode (getenv "APUS_SERVER") "lsp"))
(setq eglot-sync-connect 20 eglot-autoreconnect nil eglot-send-changes-idle-time 0 make-backup-files nil)

(defun step (name passed &optional found)
  (if passed (princ (format "ok %s\n" name))
    (princ (format "FAILED %s: %S\n" name found))
    (kill-emacs 1)))

(defun wait-until (done)
  "Let the server speak until DONE, for 20 seconds at most."
  (let ((end (+ (float-time) 20)))
    (while (and (not (funcall done)) (< (float-time) end)) (accept-process-output nil 0.05))
    (funcall done)))

(defun at (text)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (1- (point))))

(find-file "new.graphql")
(insert "query New { birds { ...Parts nam } }\n")
(save-buffer)
(apply #'eglot--connect (eglot--guess-contact))
(step "connected" (eglot-current-server))
(defvar found nil)
(flymake-mode 1)
(flymake-start)
(step "diagnostics" (wait-until (lambda () (= (length (flymake-diagnostics)) 1))) (flymake-diagnostics))
(step "message" (string-match-p "Did you mean \"name\"" (flymake-diagnostic-text (car (flymake-diagnostics)))))

(at "nam }")
(goto-char (- (point) 1))
(let* ((answer (jsonrpc-request (eglot--current-server-or-lose) :textDocument/completion
                                (eglot--TextDocumentPositionParams)))
       (items (plist-get answer :items)))
  (step "completion" (equal (plist-get (aref items 0) :label) "name") answer))

(at "Parts")
(let ((places (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
  (step "definition" (and places (string-match-p "parts.graphql" (xref-location-group (xref-item-location (car places)))))
        places))
(let ((places (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot))))
  (step "references" (>= (length places) 2) places))

;; It asks whether edits of several files are wanted.
(cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) t))) (eglot-rename "Wings"))
(step "rename" (save-excursion (goto-char (point-min)) (search-forward "...Wings" nil t)) (buffer-string))
(with-current-buffer (find-file-noselect "parts.graphql")
  (step "renamed elsewhere" (string-match-p "fragment Wings" (buffer-string)) (buffer-string)))

(eglot-format-buffer)
(step "formatting" (string-match-p "^  birds {$" (buffer-string)) (buffer-string))
(let ((server (eglot-current-server)))
  (eglot-shutdown server)
  (step "stopped" (not (jsonrpc-running-p server))))
(dolist (buffer (buffer-list)) (with-current-buffer buffer (set-buffer-modified-p nil)))
